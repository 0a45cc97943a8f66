"""Designs as files that a runtime opens, for tests of what engines say that machines can run."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from engines.contract.engine import Problem
from engines.running.runner.runnables import answer, question_of
from paretoscope_agent.measuring import draw_weights


def asked(problem: Problem, *decisions: dict[str, Any], copies: Mapping[str, bytes] | None = None) -> dict[str, Any]:
    """The answer, over JSON as between processes."""
    question = question_of(problem, decisions, 2000.0, copies=copies or {})
    return answer(json.loads(json.dumps(question, default=dict)))


def executed(told: dict[str, Any], folder: Path) -> int:
    """How many results the file gives, run as the agent runs it: a runtime checks every shape."""
    about = told["about"]
    folder.mkdir(exist_ok=True)
    if about["weights_bytes"]:
        draw_weights(folder, about["weights_file"], about["weights"], about["weights_bytes"], 1)
    (folder / "network.onnx").write_bytes(base64.b64decode(told["onnx"]))
    session = onnxruntime.InferenceSession(str(folder / "network.onnx"), providers=["CPUExecutionProvider"])
    given = {
        each.name: np.zeros(each.shape, np.int64 if "int" in each.type else np.float32) for each in session.get_inputs()
    }
    return len(session.run(None, given))
