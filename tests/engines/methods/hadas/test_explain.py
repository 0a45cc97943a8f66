from __future__ import annotations

import numpy as np
import pytest

from engines.contract.engine import Step
from engines.contract.results import Breakdown, LayerGraph, Table
from engines.documents.builtin import get_builtin
from engines.running.inspection import explain
from engines.testing.conformance import designs_of
from tests.engines.methods.hadas.problems import single_problem


def test_a_design_is_explained_by_its_ends(steps: list[Step]) -> None:
    problem, designs = single_problem(), designs_of(steps)
    number = int(np.flatnonzero(np.array(designs.origin) == "search")[0])
    found = explain(problem, designs.decisions[number])
    graph = next(each for each in found if isinstance(each, LayerGraph))
    exits = [node for node in graph.nodes if node.group == "Exits"]
    assert len(exits) == designs.columns["exits"][number] + 1  # and the network's own end
    assert sum(node.figures[0][1] for node in exits) == pytest.approx(1)
    energy = next(each for each in found if isinstance(each, Breakdown) and each.unit == "J")
    assert energy.values.sum() == pytest.approx(designs.columns["energy_j"][number])
    clocks = next(each for each in found if isinstance(each, Table) and each.name == "clocks")
    steps_of = dict(
        zip(
            clocks.table_columns[0].values, zip(*(c.values for c in clocks.table_columns[2:]), strict=True), strict=True
        )
    )
    assert steps_of["GPU"][1] == 13  # Table 2.1
    ladders = next(each for each in found if each.name == "ladders")
    assert isinstance(ladders, Breakdown)
    steps = get_builtin("hardware", "jetson-tx2").content["units"]["gpu"]["frequencies_mhz"]
    at = int(steps_of["GPU"][0])
    bar = ladders.bars.index(f"GPU, step {at} of 13")
    assert ladders.values[bar, 0] == pytest.approx(sorted(steps)[at - 1] / max(steps))
