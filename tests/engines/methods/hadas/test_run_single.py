"""The run over one network."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.engine import Step
from engines.contract.results import Curve, Note
from engines.testing.conformance import TinyProblem, check_resume, designs_of, run_all
from tests.engines.methods.hadas.problems import single_problem


def test_one_network_gets_a_proven_front_below_its_static_one(steps: list[Step]) -> None:
    designs = designs_of(steps)
    notes = [result for step in steps for result in step.results if isinstance(result, Note)]
    assert notes[0].role == "proof" and notes[0].text.startswith("Proven")
    searched = np.array(designs.origin) == "search"
    assert designs.columns["energy_j"][searched].max() < designs.columns["energy_j"][~searched].min()
    assert (designs.columns["exits"][~searched] == 0).all()
    assert np.isnan(designs.columns["score"][~searched]).all()


def test_the_published_search_is_told_as_a_share_of_the_exact_front(steps: list[Step]) -> None:
    curve = next(result for result in steps[-1].results if result.name == "published-inner")
    assert [series.title for series in curve.series] == ["Without dissimilarity", "With dissimilarity"]
    for series in curve.series:
        assert len(series.y) == len(curve.x)
        assert (np.diff(series.y) >= -1e-12).all()
        assert 0.5 < series.y[-1] <= 1
    assert (curve.series[0].y != curve.series[1].y).any()


def test_without_its_power_dissimilarity_changes_nothing() -> None:
    last = run_all(TinyProblem(single_problem({"gamma": 0, "inner_evaluations": 200, "inner_population": 20})))[-1]
    curve = next(result for result in last.results if isinstance(result, Curve))
    assert curve.series[0].y.tolist() == curve.series[1].y.tolist()


def test_what_is_printed_of_a0_without_exits_is_what_the_calibration_was_fitted_to(steps: list[Step]) -> None:
    assert designs_of(steps).columns["static_energy_j"][0] == pytest.approx(0.17378, rel=0.05)


def test_the_published_search_goes_on_after_a_stop() -> None:
    params = {"inner": "nsga2_published", "inner_evaluations": 120, "inner_population": 20}
    tiny = TinyProblem(single_problem(params))
    unbroken = run_all(tiny)
    check_resume(tiny, unbroken, 2)
