from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.magnas.search.setup import build_setup
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.engines.methods.magnas.problems import ENGINE, search_problem


def test_units_and_devices_that_nobody_measured_are_searched_on_request_and_said_aloud() -> None:
    problem = search_problem({"unmeasured": "datasheet"})
    setup = build_setup(problem)
    assert set(setup.model.units) == {"cpu", "gpu", "dla"} and setup.covered.datasheet_units == ("cpu",)
    assert "CPU by the data sheet" in ENGINE.estimator(problem)[0]
    hardware = {"hardware": get_builtin("hardware", "snapdragon-855")}
    with pytest.raises(ProblemError, match="Set unmeasured to datasheet"):
        build_setup(make_problem("magnas", hardware, {}))
    params = {"evaluations": 4, "population": 4, "unmeasured": "datasheet"}
    problem = make_problem("magnas", hardware, params)
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    notes = {each.name: each for each in steps[-1].results if isinstance(each, Note)}
    assert "calibration" not in notes and "No measurements are available" in notes["datasheet"].text
    assert any(step.designs is not None for step in steps)
