"""Rows of what is said without a number that ours could have."""

from pathlib import Path

import numpy as np
import pytest

from engines.reproduction.rows import Publication
from engines.reproduction.trends import Trend, above, below, gain, mean, ratio, trend_rows
from engines.reproduction.verdicts import verdict_of

RUNS = ({"a": 1.0, "b": 2.0}, {"a": 4.0, "b": 2.0})


def test_measures_are_over_seeds() -> None:
    found = {name: np.array([run[name] for run in RUNS]) for name in ("a", "b")}
    assert ratio("a", "b")(found) == pytest.approx(1.0)  # geometric: half and double
    assert mean("a")(found) == 2.5 and gain("a", "b")(found) == 0.5


def test_a_row_says_which_side_wins_and_what_ours_learnt() -> None:
    trends = [
        Trend("More of a", "%", "Section 1", "a is more.", gain("a", "b"), above(0), 1.0),
        Trend("Less of a", "%", "Section 1", "a is less.", gain("a", "b"), below(0), 1.0),
    ]
    same, other = trend_rows(Publication(Path(), "doe-2024"), "Ours: dice.", trends, RUNS)
    assert (verdict_of(same), verdict_of(other)) == ("same side", "differs")
    assert same.ours == 0.5 and same.why == "Published: a is more. Ours: dice." and same.where == "Section 1"
