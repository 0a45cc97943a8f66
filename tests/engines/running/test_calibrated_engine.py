"""What a calibration says of an engine's numbers."""

from __future__ import annotations

from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.sbrs.engine import SbrsEngine
from tests.engines.tiny import tiny_problem


def test_designs_on_measured_units_alone_are_surer_than_the_others() -> None:
    problem = tiny_problem("mapformer").problem
    words, certainty = MapFormerEngine().estimator(problem)
    surer = MapFormerEngine().surer_designs(problem)
    assert words.endswith("; board simulated in steady state") and certainty == "data sheet"
    assert surer.without == ("cpu",) and surer.word == "predicted"


def test_a_calibration_that_nobody_names_is_told_and_one_on_measured_units_has_no_surer_part() -> None:
    problem = tiny_problem("sbrs").problem
    assert SbrsEngine().chosen_inputs(problem) == {"calibration": "tx2-hadas"}
    assert not SbrsEngine().surer_designs(problem).without
