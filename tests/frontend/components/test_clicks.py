from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from dash.exceptions import PreventUpdate

from frontend.components import clicks
from frontend.components.clicks import clicked_id


@pytest.mark.parametrize(
    ("counts", "triggered"), [([None, 0], {"name": "stop"}), ([1, None], "submit"), ([], {"name": "stop"}), ([1], None)]
)
def test_nothing_happens_before_a_click_on_a_button_of_the_pattern(
    counts: list[int | None], triggered: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clicks, "ctx", SimpleNamespace(triggered_id=triggered))
    with pytest.raises(PreventUpdate):
        clicked_id(counts)


def test_a_click_gives_the_id_of_its_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clicks, "ctx", SimpleNamespace(triggered_id={"name": "stop"}))
    assert clicked_id([None, 2]) == {"name": "stop"}
