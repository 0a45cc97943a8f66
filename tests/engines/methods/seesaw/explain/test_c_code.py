from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from shutil import which

import numpy as np
import pytest

from engines.methods.seesaw.explain.c_code import predictor_c
from engines.methods.seesaw.predictor.run_time import STABLE_STEPS
from engines.methods.seesaw.predictor.tree import LEAF, RateTree, train
from tests.engines.methods.seesaw.predictor.cases import task_of


class _State(ctypes.Structure):
    _fields_ = [("level", ctypes.c_uint8), ("stable", ctypes.c_uint8)]


def _compiled(tree: RateTree, rates: np.ndarray, tolerance: float, folder: Path) -> ctypes.CDLL:
    source, library = folder / "predictor.c", folder / "predictor.so"
    source.write_text(predictor_c(tree, rates, tolerance, 1.0, "a test */ int main(void) {"))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-fPIC", "-shared"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(library)], check=True, capture_output=True, text=True)
    found = ctypes.CDLL(str(library))
    found.seesaw_decide.restype = ctypes.c_uint8
    found.seesaw_feedback.argtypes = [ctypes.POINTER(_State), ctypes.c_float]
    return found


@pytest.mark.skipif(which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize(
    ("kind", "node", "leaves"), [("routes", "fitness-tracker", 9), ("videos", "openmv-gps-camera", 10)]
)
def test_the_c_code_compiles_without_a_warning_and_gives_the_same_decisions(
    kind: str, node: str, leaves: int, tmp_path: Path
) -> None:
    task = task_of(kind, node)
    tolerance = 0.07
    tree = train(task, task.signal_names, tolerance, leaves)
    library = _compiled(tree, task.rates_hz, tolerance, tmp_path)
    random = np.random.default_rng(4)
    signals = np.concatenate([track.signals for track in task.test])
    edges = np.repeat(tree.threshold[tree.feature != LEAF], signals.shape[1]).reshape(-1, signals.shape[1])
    signals = np.concatenate([signals, edges, np.nextafter(edges, np.float32(np.inf))])
    errors = random.choice(np.array([0.0, 0.0699, 0.0701, 0.3, np.float32(tolerance)]), len(signals)).astype(np.float32)
    level, stable, state = 0, 0, _State(0, 0)
    row = ctypes.c_float * signals.shape[1]
    for values, error in zip(signals, errors, strict=True):
        ours = int(tree.decide(values[None, :], np.array([level]))[0])
        assert library.seesaw_decide(ctypes.byref(state), row(*values.tolist())) == ours
        library.seesaw_feedback(ctypes.byref(state), float(error))
        wrong = error > np.float32(tolerance)  # as `run_tree` moves the start node
        stable = 0 if wrong else stable + 1
        calm = stable >= STABLE_STEPS
        level = min(max(level + int(wrong) - int(calm), 0), tree.levels - 1)
        stable = 0 if calm else stable
        assert (state.level, state.stable) == (level, stable)
