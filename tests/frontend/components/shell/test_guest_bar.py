"""The bar of a page that a read-only link opened."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from frontend.components.shell.guest_bar import guest_bar


def opened(title: str) -> Any:
    link = SimpleNamespace(expires=datetime(2026, 3, 1, tzinfo=UTC), made_by="ann")
    return SimpleNamespace(link=link, thing=SimpleNamespace(title=title))


@pytest.mark.parametrize(
    ("titles", "words"),
    [
        ([], ""),
        (["Toy run"], "ann shares “Toy run” until 1 March 2026"),
        (["First", "Second", "Third"], "ann shares “Third” until 1 March 2026, and 2 more"),
    ],
)
def test_it_says_who_shares_what_until_when(monkeypatch: pytest.MonkeyPatch, titles: list[str], words: str) -> None:
    monkeypatch.setattr("frontend.components.shell.guest_bar.opened_links", lambda: [opened(title) for title in titles])
    shown = json.dumps(guest_bar().to_plotly_json(), default=lambda part: part.to_plotly_json(), ensure_ascii=False)
    assert (
        words in shown
        and ("Read-only link" in shown) is bool(titles)
        and "/accounts/login/" in shown
        and "/team" not in shown
    )
