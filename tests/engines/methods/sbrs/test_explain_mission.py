from __future__ import annotations

import pytest

from engines.contract.results import Table, Trace
from engines.documents.problems import make_problem
from engines.methods.sbrs.engine import SbrsEngine
from engines.running.inspection import explain
from tests.engines.methods.sbrs.problems import EVERYTHING, explained, measured_power, sbrs_problem


def test_the_mission_of_figure_2() -> None:
    results = explained()
    power, totals = results["mission-power"], results["mission"]
    assert isinstance(power, Trace) and isinstance(totals, Table)
    columns = {column.title: column.values for column in totals.table_columns}
    switching, static, driven = range(3)
    assert columns["Time over budget"][static] == columns["Time over budget"][switching] == 0
    assert columns["Time over budget"][driven] > 0
    accuracy = columns["Mean accuracy"]
    assert accuracy[static] == pytest.approx(82) and accuracy[switching] > 86
    assert columns["Switches"][switching] >= 3


def test_a_measured_power_is_laid_over_the_mission() -> None:
    usual = sbrs_problem()
    problem = make_problem("sbrs", {**usual.inputs, "measured": measured_power()}, usual.params.model_dump())
    results = {result.name: result for result in explain(problem, EVERYTHING)}
    power, charge = results["mission-power"], results["mission-charge"]
    assert isinstance(power, Trace) and isinstance(charge, Trace)
    assert power.series[-1].title == "Measured power w" and len(charge.series) == 3
    assert len(results) > len(explained())


def test_traces_are_declared_with_an_environment_alone() -> None:
    with_mission, without = (SbrsEngine().result_types_of(sbrs_problem(None, mission)) for mission in (True, False))
    assert Trace in with_mission and Trace not in without
    assert not any(isinstance(result, Trace) for result in explained(mission=False).values())
