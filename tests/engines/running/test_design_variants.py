"""Designs with one change and on other hardware, as the child answers; by hand for the toy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem, with_document
from engines.registry import get_engine
from engines.running.design_variants import open_designs, opening_of, scored
from engines.running.inspection import evaluate, explain
from hardware.calibration.loader import builtin_calibrations
from hardware.calibration.movable import calibration_figures
from hardware.soc.movable import soc_figures
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network
from tests.support.toy_engine import toys_offered


def talk(problem: Any, front: list[Mapping[str, Any]], others: list[Mapping[str, Any]] | None = None) -> Any:
    """What answers, opened by what has gone through JSON."""
    opening = opening_of(problem, dict(enumerate(front)), others or [], 2048.0)
    return open_designs(json.loads(json.dumps(opening, default=dict)))


def test_changes_are_taken_over_from_other_designs_and_scored() -> None:
    with toys_offered():
        toy = make_problem("toy", {}, {})
        mine = {"x": [0.5, 0.5, 0.5]}
        found = talk(toy, [], [{"x": [0.5, 0.0, 0.5]}, {"x": [0.5, 0.0, 2.0]}])(
            {"what": "changes", "decision": mine, "begin": 0, "time_s": 5.0}
        )
    assert (found["own"], found["total"], found["next"]) == (False, 2, 2)
    # Energy is 1 J and the squares of the three numbers.
    assert found["base"]["energy_j"] == pytest.approx(1.75)
    first, second = found["tried"]
    assert first["words"] == "X: no. 2 0.5 → 0" and first["columns"]["energy_j"] == pytest.approx(1.5)
    assert "three numbers from 0 to 1" in second["refused"] and np.isnan(second["columns"]["energy_j"])


def test_a_piece_ends_with_its_time_and_the_next_goes_on_there() -> None:
    with toys_offered():
        toy = make_problem("toy", {}, {})
        others = [{"x": [at / 20, 0.5, 0.5]} for at in range(20) if at != 10]
        answering = talk(toy, [], others)
        question = {"what": "changes", "decision": {"x": [0.5, 0.5, 0.5]}, "time_s": 0.0}
        ends = [answering({**question, "begin": begin})["next"] for begin in (0, 8, 16)]
    assert ends == [8, 16, 19]


def mapped() -> tuple[Any, list[dict[str, Any]]]:
    return mapping_problem(None, tiny_network()), [{"units": [unit] * 6} for unit in ("gpu", "dla")]


def test_on_the_stored_hardware_the_figures_are_the_stored_ones() -> None:
    problem, decisions = mapped()
    stored = evaluate(problem, decisions)
    found = talk(problem, decisions)({"what": "hardware", "values": {}, "decision": decisions[1], "front": True})
    assert found["numbers"] == [0, 1] and found["lost"] == 0
    for name, values in stored.columns.items():
        assert found["front"][name] == values.tolist()
        assert found["design"][name] == values[1]


def test_other_figures_give_what_the_whole_problem_with_them_gives() -> None:
    problem, decisions = mapped()
    content = problem.inputs["hardware"].content
    width = next(figure for figure in soc_figures(content) if figure.name == "memory-width")
    found = talk(problem, decisions)(
        {
            "what": "hardware",
            "values": {"hardware": width.at(width.value / 4)},
            "decision": decisions[0],
            "front": False,
        }
    )
    assert "front" not in found
    slower = json.loads(json.dumps(content))
    slower["memory"]["bytes_per_cycle"] = width.value / 4
    slower["sources"]["memory.bytes_per_cycle"] = "assumed"
    document = type(problem.inputs["hardware"])("hardware", content["slug"], 1, slower)
    whole = make_problem(problem.engine, {**problem.inputs, "hardware": document}, problem.params, problem.seed)
    assert found["design"]["latency_s"] == evaluate(whole, decisions[:1]).columns["latency_s"][0]
    assert found["design"]["latency_s"] > evaluate(problem, decisions[:1]).columns["latency_s"][0]


def test_the_launch_time_of_the_calibration_that_the_engine_chose_can_be_moved() -> None:
    problem, decisions = mapped()
    chosen = get_engine(problem.engine).chosen_inputs(problem)
    figures = calibration_figures(builtin_calibrations()[chosen["calibration"]])
    launch = next(figure for figure in figures if figure.name == "launch-gpu")
    question = {"what": "hardware", "values": {"calibration": launch.at(launch.value / 2)}, "decision": decisions[0]}
    found = talk(problem, decisions)(question)
    breakdown = next(each for each in explain(problem, decisions[0]) if each.name == "layer-latency")
    stored = float(evaluate(problem, decisions[:1]).columns["latency_s"][0])
    assert found["design"]["latency_s"] == pytest.approx(stored - breakdown.values[:, 0].sum() / 2, rel=1e-12)
    engine, given = get_engine(problem.engine), get_builtin("calibration", chosen["calibration"])
    assert engine.chosen_inputs(with_document(engine, problem, "calibration", given)) == {}


@pytest.mark.parametrize("clocks", [{}, {"clocks_mhz": {"gpu": 1377.0, "cpu": 2265.6, "memory": 2133.0}}])
def test_a_moved_clock_moves_the_clocks_of_designs_with_it(clocks: dict[str, Any]) -> None:
    problem, decisions = mapped()
    decision = {**decisions[0], **clocks}
    clock = next(each for each in soc_figures(problem.inputs["hardware"].content) if each.name == "clock-gpu")
    values = {"hardware": clock.at(clock.value / 2)}
    found = talk(problem, decisions)({"what": "hardware", "values": values, "decision": decision, "front": True})
    slower = {**decision, "clocks_mhz": {**clocks.get("clocks_mhz", {}), "gpu": 675.75}}
    expected = float(evaluate(problem, [slower]).columns["latency_s"][0])
    # The table has 675.75 MHz and no half of 1377 MHz.
    assert found["design"]["latency_s"] == pytest.approx(expected, rel=0.02) and not found["why_not"]
    assert found["front"]["latency_s"][0] == found["design"]["latency_s"]


def test_hardware_that_the_engine_does_not_take_is_told_by_its_field() -> None:
    problem, decisions = mapped()
    found = talk(problem, decisions)(
        {"what": "hardware", "values": {"hardware": {"memory.bytes_per_cycle": -1.0}}, "decision": decisions[0]}
    )
    assert found["refused"]["field"] == "inputs.hardware.memory.bytes_per_cycle"


def test_one_design_that_is_refused_leaves_the_others_their_figures() -> None:
    problem, decisions = mapped()
    columns, refused = scored(get_engine(problem.engine), problem, [decisions[0], {"units": ["npu"] * 6}, decisions[1]])
    stored: Designs = evaluate(problem, decisions)
    assert list(refused) == [1] and "decision.units.0" in refused[1]
    np.testing.assert_array_equal(columns["latency_s"][[0, 2]], stored.columns["latency_s"])
    assert np.isnan(columns["latency_s"][1])
