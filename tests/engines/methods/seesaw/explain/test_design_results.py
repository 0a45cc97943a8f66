from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import LayerGraph, Note, Table, Trace
from engines.running.inspection import evaluate
from tests.engines.methods.seesaw.cases import DECISION, explained
from tests.engines.methods.seesaw.problems import seesaw_problem


def test_traces_show_rate_error_tolerance_and_charge() -> None:
    found = explained()
    work, battery, tree = found["at-work"], found["battery"], found["tree"]
    assert isinstance(work, Trace) and isinstance(battery, Trace) and isinstance(tree, LayerGraph)
    assert {series.title for series in work.series} == {"Rate", "Least rate", "Turn", "Error so far"}
    assert [limit.value for limit in work.thresholds] == [5.0]
    charge = battery.series[0]
    assert charge.y[0] == 100 and np.all(np.diff(charge.y) <= 0) and np.all(charge.low <= charge.high)
    assert len(tree.edges) == len(tree.nodes) - 1
    assert tree.nodes[0].title.startswith("turn ≤ ") and tree.nodes[0].title.endswith(" °")


def test_the_code_of_any_design_is_its_file_and_says_in_which_units_signals_are() -> None:
    code = explained()["t5-turn-l9-feedback.c"]
    assert isinstance(code, Note)
    assert "Signals, in this order: turn in deg." in code.text and "seesaw_decide" in code.text


def test_the_life_of_the_exact_device_is_that_of_the_design() -> None:
    designs = evaluate(seesaw_problem({"devices": 1}), [DECISION])
    lives = explained(params={"devices": 1})["lives"]
    assert isinstance(lives, Table)
    # One device begins with the first track and need not end at the end of the last one.
    assert lives.table_columns[1].values[2] == pytest.approx(designs.columns["battery_life_h"][0], rel=0.01)
