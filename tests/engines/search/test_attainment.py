"""Attainment surfaces, against examples worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.quantities import Sense
from engines.search.attainment import attainment_surfaces, runs_needed

MINIMISE: tuple[Sense, Sense] = ("minimise", "minimise")
# Three runs; (2, 2) is attained by the first and the second, nobody but the third attains (1, 4).
RUNS = ([[1, 5], [2, 2]], [[2, 2]], [[1, 4], [4, 1]])


def test_surfaces_of_three_runs() -> None:
    best, median, worst = attainment_surfaces(RUNS, MINIMISE, [0.25, 0.5, 0.75])
    assert best.tolist() == [[1, 4], [2, 2], [4, 1]], "one run suffices: the joint front"
    # By two runs: x=1 needs y=5 (first and third), x=2 needs y=2 (first and second); (4, 1) is the third's alone.
    assert median.tolist() == [[1, 5], [2, 2]]
    # By all: the second needs x>=2 and y>=2, and the third then x>=2 and y>=4, or x>=4 and y>=2.
    assert worst.tolist() == [[2, 4], [4, 2]]


def test_a_run_without_designs_attains_nothing_and_counts() -> None:
    half, all_runs = attainment_surfaces([[[1, 1]], [], [[2, 2]], [[np.nan, 0]]], MINIMISE, [0.5, 0.75])
    assert half.tolist() == [[2, 2]] and all_runs.shape == (0, 2)
    assert attainment_surfaces([[], []], MINIMISE, [0.5])[0].shape == (0, 2)


def test_what_is_to_be_maximised_is_turned() -> None:
    senses: tuple[Sense, Sense] = ("maximise", "minimise")
    turned = [[[-x, y] for x, y in run] for run in RUNS]
    (median,) = attainment_surfaces(turned, senses, [0.5])
    assert median.tolist() == [[-1, 5], [-2, 2]], "from the best of the first objective on"


def test_three_objectives() -> None:
    cube = [[[1, 2, 3]], [[2, 1, 3]]]
    one, both = attainment_surfaces(cube, ("minimise",) * 3, [0.5, 1.0])
    assert one.tolist() == [[1, 2, 3], [2, 1, 3]] and both.tolist() == [[2, 2, 3]]


def test_levels_of_any_number_of_runs() -> None:
    """Run k of n has the one design (k, k): the share s is attained from the ceil(s * n)-th on."""
    for count in (1, 2, 7, 11, 30, 100):
        runs = [[[k, k]] for k in range(1, count + 1)]
        shares = [0.0, 0.07, 0.25, 0.5, 0.75, 1.0]
        found = attainment_surfaces(runs, MINIMISE, shares)
        assert [surface.tolist() for surface in found] == [[[runs_needed(s, count)] * 2] for s in shares]
    assert runs_needed(0.07, 100) == 7 and runs_needed(0.0, 5) == 1 and runs_needed(0.5, 3) == 2


def test_what_cannot_be_computed_is_refused() -> None:
    with pytest.raises(ValueError, match="two or three"):
        attainment_surfaces([[[1]]], ("minimise",), [0.5])
    with pytest.raises(ValueError, match=r"0\.\.1"):
        attainment_surfaces(RUNS, MINIMISE, [50])
