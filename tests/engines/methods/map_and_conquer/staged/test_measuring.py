"""Configurations of a front, built and measured."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engines.contract.results import Table
from engines.documents.families import load
from engines.methods.map_and_conquer.staged.measuring import spread
from engines.testing.conformance import TinyProblem, check_resume, run_all
from tests.engines.methods.map_and_conquer.problems import cut_problem


def test_finalists_are_spread_over_an_objective() -> None:
    assert spread(np.array([3.0, 1.0, 2.0, 9.0]), np.array([10, 11, 12, 13]), 2) == [11, 13]
    assert spread(np.array([3.0, 1.0]), np.array([10, 11]), 5) == [11, 10]


@pytest.mark.long
def test_stages_of_digits_are_measured_and_a_broken_run_measures_the_same() -> None:
    pytest.importorskip("torch")
    params = {"finalists": 2, "epochs": 3, "fine_tuning_epochs": 2, "evaluations": 200, "clocks": "fixed"}
    tiny = TinyProblem(cut_problem(params, "digits-chain"))
    steps = run_all(tiny)
    table = next(each for each in steps[-1].results if isinstance(each, Table) and each.name == "measured")
    value = {column.title: np.asarray(column.values) for column in table.table_columns}
    assert len(value["Design"]) == 2
    assert (value["Any stage"] >= np.maximum(value["First stage"], value["Last stage"])).all()
    assert value["Any stage"].max() > 60
    check_resume(tiny, steps, len(steps) - 3)
    files = {file.name: file for step in steps for file in step.files}
    assert sum(name.endswith(".onnx") for name in files) == 2
    document = load(json.loads(files["measured-cuts.json"].data))
    assert document.network == "digits-chain" and document.stages == 4
