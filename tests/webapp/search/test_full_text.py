from __future__ import annotations

from types import SimpleNamespace

import pytest

from webapp.search.full_text import drop_full_text, make_full_text


@pytest.mark.parametrize(("vendor", "made"), [("sqlite", "TABLE search_text"), ("postgresql", "COLUMN vector")])
def test_each_database_drops_what_it_made(vendor: str, made: str) -> None:
    said: list[str] = []
    editor = SimpleNamespace(connection=SimpleNamespace(vendor=vendor), execute=said.append)
    make_full_text(None, editor)
    assert any(made in statement for statement in said)
    created = sum(statement.startswith("CREATE TRIGGER") for statement in said)
    said.clear()
    drop_full_text(None, editor)
    assert made in said[-1] and sum("TRIGGER" in statement for statement in said) == created
