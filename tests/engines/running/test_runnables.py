"""Designs as files: of each engine that says what machines can run, a design of its tiny problem."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.registry import engine_names, get_engine
from engines.running.inspection import evaluate
from engines.running.runnables import answer, question_of
from paretoscope_agent.measuring import draw_weights
from tests.engines.methods.hadas.problems import measured_problem
from tests.engines.methods.split_network.problems import split_problem
from tests.engines.tiny import tiny_problem

MEASURABLE = [name for name in engine_names() if get_engine(name).measurable is not None]


def asked(problem: Problem, *decisions: dict[str, Any]) -> dict[str, Any]:
    """The answer, over JSON as between processes."""
    return answer(json.loads(json.dumps(question_of(problem, decisions, 2000.0), default=dict)))


def load(told: dict[str, Any], folder: Path) -> onnxruntime.InferenceSession:
    """The file as the agent opens it: a runtime checks every shape."""
    about = told["about"]
    if about["weights_bytes"]:
        draw_weights(folder, about["weights_file"], about["weights"], about["weights_bytes"], 1)
    (folder / "network.onnx").write_bytes(base64.b64decode(told["onnx"]))
    return onnxruntime.InferenceSession(str(folder / "network.onnx"), providers=["CPUExecutionProvider"])


def test_pieces_of_a_network_with_exits_run_and_their_shares_are_those_of_its_inputs(tmp_path: Path) -> None:
    problem = measured_problem()
    found = asked(problem, {"exits": [1, 2]}, {"exits": []}, {"exits": [9]})
    both, alone, refused = found["designs"]
    assert [piece["share"] for piece in both["pieces"]] == [0.5, 0.25, 0.25]
    assert [piece["title"] for piece in both["pieces"]][-1] == "To the own end"
    assert len(alone["pieces"]) == 1 and alone["pieces"][0]["file"] != both["pieces"][2]["file"], "it passes no exits"
    assert "decision.exits.0" in refused["refused"]
    for number, told in enumerate(found["files"].values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        session = load(told, folder)
        session.run(None, _zeros(session))


def test_equal_pieces_are_one_file() -> None:
    found = asked(measured_problem(), {"exits": [1]}, {"exits": [1, 2]}, {"exits": [1]})
    first = [design["pieces"][0]["file"] for design in found["designs"]]
    assert len(set(first)) == 1


@pytest.mark.parametrize("bottleneck", [False, True])
def test_the_side_of_the_device_runs_and_the_rest_stays_predicted(tmp_path: Path, bottleneck: bool) -> None:
    problem = split_problem({"compression": 4.0})
    decision = {"last_on_device": ["left.2"], "bottleneck": bottleneck}
    found = asked(problem, decision)
    (design,) = found["designs"]
    ((told),) = found["files"].values()
    session = load(told, tmp_path)
    # The stem is read at the server as well: with a bottleneck both results pass through one.
    assert len(session.get_outputs()) == (2 if bottleneck else 1)
    session.run(None, _zeros(session))
    latency_s = float(evaluate(problem, [decision]).columns["latency_s"][0])
    assert 0 < design["rest_s"] < latency_s and design["rest_words"] == "the upload, the server's delay and its layers"


def test_a_cut_with_nothing_on_the_device_is_refused() -> None:
    (design,) = asked(split_problem(), {"last_on_device": []})["designs"]
    assert "nothing is left to measure" in design["refused"]


def test_engines_without_it_refuse() -> None:
    with pytest.raises(ProblemError, match="machines can run"):
        asked(tiny_problem("toy").problem, {"x": [0, 0, 0]})


@pytest.mark.parametrize("name", MEASURABLE)
def test_what_is_measured_stands_beside_a_latency(name: str) -> None:
    engine = get_engine(name)
    assert engine.measurable is not None
    column = next(each for each in engine.quantities if each.name == engine.measurable.column)
    assert (column.unit, column.sense) == ("s", "minimise") and engine.measurable.words.endswith(".")


def _zeros(session: onnxruntime.InferenceSession) -> dict[str, Any]:
    import numpy as np

    return {each.name: np.zeros(each.shape, np.float32) for each in session.get_inputs()}
