"""What is printed is named as `published.yaml` names it."""

from __future__ import annotations

from math import isnan, nan
from pathlib import Path

import pytest

from engines.reproduction.rows import Publication, PublishedRow, row

PUBLISHED = """
a-2024:
  source: a paper
  results:
    - {name: t1.one, value: 2, unit: s, where: Table 1}
    - {name: t1.range, value: [20, 30], unit: '%', where: Table 1}
    - {name: t1.list, value: [1, 2, 3], where: Table 2}
    - {name: t1.text, value: G-G, where: Table 3}
"""


@pytest.fixture
def publication(tmp_path: Path) -> Publication:
    (tmp_path / "published.yaml").write_text(PUBLISHED)
    return Publication(tmp_path, "a-2024")


def test_a_number_a_range_an_element_and_a_text(publication: Publication) -> None:
    assert publication.printed("t1.one") == PublishedRow("a-2024", 2.0, "s", "Table 1", ("t1.one",))
    assert publication.printed("t1.range") == PublishedRow("a-2024", 20.0, "%", "Table 1", ("t1.range",), 30.0)
    assert publication.printed("t1.list[2]") == PublishedRow("a-2024", 3.0, "", "Table 2", ("t1.list[2]",))
    assert publication.value("t1.text") == "G-G" and publication.value("t1.list") == [1, 2, 3]
    with pytest.raises(KeyError):
        publication.value("t1.two")


def test_what_follows_from_several_values_stands_where_the_first_of_them_does(publication: Publication) -> None:
    made = publication.derived(1.5, "x", "t1.list[2]", "t1.one")
    assert (made.value, made.where, made.sources) == (1.5, "Table 2", ("t1.list[2]", "t1.one"))
    nothing = publication.unprinted("J", "Section 2")
    assert isnan(nothing.value) and nothing.sources == ()


@pytest.mark.parametrize(("ours", "same_side", "told"), [(3.0, True, True), (3.0, None, None), (nan, True, None)])
def test_a_side_is_told_where_there_is_a_value(
    publication: Publication, ours: float, same_side: bool | None, told: bool | None
) -> None:
    made = row("A", publication.printed("t1.one"), ours, "Table 1", same_side=same_side)
    assert made.ordering is told and (made.published, made.unit, made.kind) == (2.0, "s", "predicted")


def test_rows_of_a_heading_have_what_holds_for_all_of_them(publication: Publication) -> None:
    rows = publication.rows("Table 1", reading="default", why="nobody knows", kind="fitted")
    expected = row(
        "One", publication.printed("t1.one"), 3.0, "Table 1", kind="fitted", reading="default", why="nobody knows"
    )
    assert rows("One", "t1.one", 3.0) == expected
    own = rows(
        "One", publication.unprinted("s", "Table 9"), 3.0, kind="exact", reading="", why="", same_side=True, baseline=0
    )
    assert (own.kind, own.reading, own.why, own.ordering, own.where) == ("exact", "", "", True, "Table 9")
