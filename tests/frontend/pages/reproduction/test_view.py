from __future__ import annotations

from datetime import date
from typing import Any

from engines.reproduction.comparisons import Comparison, Key
from tests.support.stored_runs import People
from webapp.reproductions.service import ReproductionSummary, ValueOrigin

AT_RELEASE = ValueOrigin("release", date(2024, 2, 1), {"scar": 1}, False, None, False)


def body(rows: list[Comparison], computed: set[Key] | None = None, **asked: str) -> str:
    """What the page of SCAR shows of these rows."""
    from frontend.pages.reproduction.view import body as draw
    from frontend.pages.reproduction.words import ReproductionQuery

    made = dict.fromkeys({row.key for row in rows} if computed is None else computed, AT_RELEASE)
    return str(
        draw(ReproductionSummary("scar", tuple(rows), made), ReproductionQuery(**asked), "light").to_plotly_json()
    )


def a_row(
    name: str, reading: str, ours: float, ordering: bool | None, anchor: str = "a-2024", **more: Any
) -> Comparison:
    facts = {
        "published": 2.5,
        "unit": "x",
        "kind": "predicted",
        "where": "Table 1",
        "reason": "Other mappings.",
        "group": "Table 1",
    }
    return Comparison(name=name, reading=reading, ours=ours, ordering=ordering, anchor=anchor, **{**facts, **more})


def test_rows_tell_published_ours_ratio_verdict_and_why(people: People) -> None:
    rows = [
        a_row("A over B", "one", 1.75, True),
        a_row("A over B", "two", 0.5, False),
        a_row("C over D", "one", 3.0, True, anchor="b-2024"),
        a_row("E", "one", 2.4, None, kind="fitted", reason="", group="Table 2"),
        a_row("F, layers", "one", 23.0, None, published=23.0, unit="layers", reason="", group="Table 3"),
    ]
    shown = body(rows)
    for words in (
        "a-2024", "b-2024", "2.50", "1.75", "0.500 to 1.75", "'0.70'", "differs (explained)", "agrees", "fitted", "1 of 2",
        "All 2 readings",
        "as published with one; not with two", "Other mappings.", "'23'", "Why they differ",
    ):  # fmt: skip
        assert words in shown, words


def test_a_table_and_a_verdict_can_be_asked_for(people: People) -> None:
    rows = [a_row("A over B", "", 1.75, True), a_row("C over D", "", 2.5, True, group="Table 2", where="Table 2")]
    only = body(rows, table="a-2024/Table 2")
    assert "C over D" in only and "A over B" not in only
    holding = body(rows, verdict="agrees")
    assert "C over D" in holding and "A over B" not in holding
    assert "No comparison matches this filter" in body(rows, verdict="undecided")
