"""Rows of what is said of trained networks, with a printed number and without."""

import re
from math import isnan
from pathlib import Path

import numpy as np
import pytest

from engines.reproduction.reproductions import listed, published_of, reproducible_engines
from engines.reproduction.rows import Publication, PublishedRow
from engines.reproduction.trends import TrainedValue, Trend, gain, mean, ratio, trend_rows
from engines.reproduction.verdicts import verdict_of

RUNS = ({"a": 1.0, "b": 2.0}, {"a": 4.0, "b": 2.0})
PAPER = Publication(Path(), "doe-2024")


def test_measures_are_over_seeds() -> None:
    found = {name: np.array([run[name] for run in RUNS]) for name in ("a", "b")}
    assert ratio("a", "b")(found) == pytest.approx(1.0)  # geometric: half and double
    assert mean("a")(found) == 2.5 and gain("a", "b")(found) == 0.5


def test_a_trend_says_which_side_wins_and_what_ours_learnt() -> None:
    said = [
        Trend("More of a", "%", "Section 1", "a is more.", mean("a"), "above", 0, 0.1),
        Trend("Less of a", "%", "Section 1", "a is less.", mean("a"), "below", 0, 0.1),
        Trend("More of a than of b", "%", "Section 1", "a is more than b.", gain("a", "b"), "above", 0, 0.1),
    ]
    same, other, noise = trend_rows(PAPER, "Ours: dice.", said, RUNS)
    assert [verdict_of(row) for row in (same, other, noise)] == ["same direction", "opposite direction", "undecided"]
    assert (same.ours, same.seeds) == (2.5, (1.0, 4.0)) and (noise.ours, noise.seeds) == (0.5, (-1.0, 2.0))
    assert same.why == "Published: a is more. Ours: dice." and same.where == "Section 1"


def test_a_printed_number_is_compared() -> None:
    printed = PublishedRow("doe-2024", 2.4, "", "Table 1", ("t1.a",))
    said = [
        TrainedValue("A", printed, "a is 2.4.", mean("a"), 0.1),
        TrainedValue("B", printed, "b is 2.4.", mean("b"), 0.1),
        TrainedValue("At most", printed, "a is at most 2.4.", mean("a"), 0.2, test="at most"),
        TrainedValue("Again", printed, "a is 2.4.", mean("a"), 0.1, kind="repeated"),
    ]
    rows = list(trend_rows(PAPER, "Ours: dice.", said, RUNS))
    assert [verdict_of(row) for row in rows] == ["undecided", "agrees", "undecided", "not counted"]


@pytest.mark.parametrize("engine", reproducible_engines())
def test_no_trend_quotes_a_printed_number(engine: str) -> None:
    printed = {value.value for value in published_of(engine) if not isinstance(value.value, str)}
    for row in listed(engine):
        if row.test == "trend":
            said = row.reason.partition(" Computed:")[0]
            quoted = {float(number) for number in re.findall(r"(\d+(?:\.\d+)?)(?= ?[x%×])", said)}
            assert not quoted & printed, row.name
            assert isnan(row.published) and row.baseline is not None
