from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engines.contract.errors import UnknownEngineError
from engines.reproduction.comparisons import Comparison, Flip, compared, flips
from engines.reproduction.reproductions import (
    comparisons_of,
    engines_of,
    headline_of,
    listed,
    parts_of,
    published_of,
    readings_of,
    reproducible_engines,
    reproduction_of,
    seconds_of,
)


def a_row(name: str, reading: str, ordering: bool | None, published: float = 2.0) -> Comparison:
    return Comparison(name, reading, published, 3.0, "x", "predicted", "a-2024", "Table 1", ordering)


def test_built_in_reproductions_are_found() -> None:
    assert "scar" in reproducible_engines()


def test_an_engine_without_a_reproduction_is_named_with_those_that_have_one() -> None:
    with pytest.raises(UnknownEngineError, match=r"no reproduction of 'toy'.*scar"):
        next(comparisons_of("toy"))


def test_flips_name_the_readings_on_both_sides() -> None:
    rows = [
        a_row("A", "one", True),
        a_row("B", "one", True),
        a_row("A", "two", False),
        a_row("B", "two", True),
        a_row("C", "one", None),
        a_row("A", "three", False),
    ]
    assert flips(rows) == (Flip("a-2024", "A", ("one",), ("two", "three")),)


def test_the_ratio_is_ours_over_published() -> None:
    assert a_row("A", "", None).ratio == 1.5
    assert math.isnan(a_row("A", "", None, published=0.0).ratio)


@pytest.mark.parametrize(("ours", "ratio"), [(20.0, 0.8), (25.0, 1.0), (40.0, 1.0), (50.0, 1.0), (100.0, 2.0)])
def test_the_ratio_to_a_range_is_that_to_its_nearer_end(ours: float, ratio: float) -> None:
    assert replace(a_row("A", "", None, published=25.0), published_high=50.0, ours=ours).ratio == ratio


@pytest.mark.parametrize("engine", reproducible_engines())
def test_what_stands_for_a_method_was_not_fitted(engine: str) -> None:
    first = next(row for row in listed(engine, quick=True) if row.name == headline_of(engine))
    assert first.kind == "predicted"


def test_readings_are_explained_and_the_default_comes_first() -> None:
    words = readings_of("scar")
    assert next(iter(words)) == "default" and all(words.values())


def test_values_are_gathered_over_readings_but_never_over_publications() -> None:
    other = Comparison("A", "one", 2.0, 9.0, "x", "predicted", "b-2024", "Table 1", True)
    rows = [a_row("A", "one", True), a_row("B", "one", None), a_row("A", "two", False), other]
    first, second, third = compared(rows)
    assert (first.first.anchor, first.agreeing, list(first.by_reading)) == ("a-2024", (1, 2), ["one", "two"])
    assert (second.first.name, second.agreeing, second.range) == ("B", (0, 0), (3.0, 3.0))
    assert (third.first.anchor, third.range) == ("b-2024", (9.0, 9.0))


@pytest.mark.parametrize("engine", reproducible_engines())
def test_every_comparison_is_listed_with_what_was_published_and_nothing_computed(engine: str) -> None:
    rows = listed(engine)
    assert rows and all(math.isnan(row.ours) and row.ordering is None and not row.why for row in rows)
    assert all(row.anchor and row.where and row.group for row in rows)
    assert len({row.key for row in rows}) == len(rows)
    assert {row.key for row in listed(engine, quick=True)} <= {row.key for row in rows}
    assert headline_of(engine) in {row.name for row in listed(engine, quick=True)}
    assert {row.reading for row in rows} <= {"", *readings_of(engine)}


@pytest.mark.parametrize("engine", reproducible_engines())
def test_a_row_shows_the_published_value_that_it_names(engine: str) -> None:
    """Where a row names one number, that number is what stands in it, or its inverse (a slowdown told as a speed-up)."""
    numbers = {(each.anchor, each.name): each.value for each in published_of(engine)}
    for row in listed(engine):
        value = numbers.get((row.anchor, row.sources[0])) if len(row.sources) == 1 else None
        if value is not None and row.published_high is None:
            assert row.published == value or row.published == 1 / float(value), row.name
        assert row.sources or math.isnan(row.published) or row.kind == "arithmetic", row.name


@pytest.mark.parametrize("engine", reproducible_engines())
def test_parts_have_titles_of_their_own_and_an_expected_time(engine: str) -> None:
    titles = [part.title for part in parts_of(engine)]
    assert len(set(titles)) == len(titles)
    assert 0 < seconds_of(engine, True) <= seconds_of(engine, False)


@pytest.mark.parametrize("engine", ["seesaw", "sbrs"])
def test_what_is_computed_is_what_is_listed(engine: str) -> None:
    computed = [replace(row, ours=0.0, ordering=None) for row in comparisons_of(engine, quick=True)]
    assert computed == [replace(row, ours=0.0) for row in listed(engine, quick=True)]


def test_results_of_the_mapping_engine_are_those_of_magnas() -> None:
    assert reproduction_of("soc-mapping") == "magnas" and engines_of("magnas") == ("soc-mapping",)
    assert reproduction_of("scar") == "scar" and reproduction_of("train-supernet") is None
