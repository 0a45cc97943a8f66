from __future__ import annotations

from engines.reproduction.published_values import PublishedValue
from tests.frontend.pages.reproduction.cases import page
from tests.support.stored_runs import People


def test_what_is_printed_and_not_compared_is_shown_with_the_reason(people: People) -> None:
    shown = page("magnas")
    for words in (
        "Published values without a comparison", "94.15", "S-G-S-G", "cannot be built",
        "ooe gpu latency speedup", "of 284 published values have a row",
    ):  # fmt: skip
        assert words in shown, words
    assert "Published values without a comparison" not in page("scar")


def test_values_that_are_not_compared_make_a_grid_where_most_things_have_most_quantities(people: People) -> None:
    from frontend.pages.reproduction.values_without_comparison import _values

    def heads(*names: str) -> list[str]:
        values = [PublishedValue("a-2024", name, number / 4, "%", "Table 1") for number, name in enumerate(names)]
        (table,) = [part for part in _values(values)._traverse() if type(part).__name__ == "Table"]
        return [part.children[0] for part in table._traverse() if type(part).__name__ == "Th"]

    assert heads("t1.one.a0.top1", "t1.one.a1.top1", "t1.two.a0.top1", "t1.two.a1.top1") == ["top1", "a0", "a1"]
    assert heads("t1.one.a", "t1.two.b", "t1.three.c") == ["Of", "Printed", "Place"] == heads("fig3.6.error")
