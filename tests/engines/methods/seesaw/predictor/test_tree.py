"""Best rates, trees as tables, start nodes, and the C code that decides alike."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from shutil import which

import numpy as np
import pytest

from engines.methods.seesaw.costs.tree_cost import cortex_m4, decision_s, flash_bytes
from engines.methods.seesaw.explain.c_code import predictor_c
from engines.methods.seesaw.predictor.run_time import STABLE_STEPS
from engines.methods.seesaw.predictor.task import Task, build_task
from engines.methods.seesaw.predictor.tree import LEAF, RateTree, fit, optimal_rates, train, training_data, tree_of
from engines.recordings.loader import load_recording
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from tests.engines.methods.seesaw.problems import recording

RATES = np.array([0.1, 0.2, 0.4, 0.8, 1.0])


def task_of(kind: str, node: str, **said: float) -> Task:
    """A small task."""
    sensor = load_sensor_node(builtin_sensor_nodes()[node]).rated_sensor
    return build_task(load_recording(recording(kind, tracks=12, duration_s=200, **said).content), sensor, 0.5, 6.0)


def test_the_lowest_rate_with_an_error_below_the_tolerance_counts() -> None:
    # goyal-2023 Algorithm 2, lines 5 and 6.
    errors = np.array(
        [[0.3, 0.2, 0.05, 0.01, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.9, 0.8, 0.7, 0.6, 0.5], [0.01, 0.05, 0.2, 0, 0]]
    )
    assert optimal_rates(errors, 0.1).tolist() == [2, 0, 4, 0]


def _stairs() -> RateTree:
    """A tree of four leaves: the rate rises with the first signal."""
    signals = np.linspace(0, 4, 400, endpoint=False, dtype=np.float32)[:, None]
    rates = RATES[np.array([0, 1, 2, 4])][signals[:, 0].astype(int)]
    return tree_of(fit(np.hstack((signals, 0 * signals)), rates, 4), ("turn", "speed"), RATES)


def test_a_tree_of_four_leaves_by_hand() -> None:
    tree = _stairs()
    assert len(tree) == 7 and (tree.feature == LEAF).sum() == 4 and set(tree.feature.tolist()) == {0, LEAF}
    assert tree.rate[tree.feature == LEAF].tolist() == [0, 1, 2, 4]
    assert sorted(tree.threshold[tree.feature != LEAF].tolist()) == pytest.approx([0.995, 1.995, 2.995], abs=0.001)
    signals = np.array([[0.5, 9], [1.5, 9], [2.5, 9], [3.5, 9]], np.float32)
    assert tree.decide(signals, np.zeros(4, np.int64)).tolist() == [0, 1, 2, 4]


def test_every_level_doubles_the_least_rate_and_starts_where_all_leaves_have_it() -> None:
    tree = _stairs()
    assert RATES[tree.least_rates].tolist() == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert tree.start_nodes[0] == 0
    for level, start in enumerate(tree.start_nodes.tolist()):
        assert tree.rate[start] >= tree.least_rates[level]
    slow = np.full((5, 2), 0.5, np.float32)
    # From the root the slow leaf is found; from the start nodes below, the slowest leaf that there is, or the least rate.
    assert RATES[tree.decide(slow, np.arange(5))].tolist() == [0.1, 0.2, 0.4, 1.0, 1.0]


def test_trees_as_tables_decide_as_scikit_learn_does() -> None:
    task = task_of("routes", "fitness-tracker")
    signals, rates = training_data(task.train, [0, 1, 2], 0.1)
    model = fit(signals, task.rates_hz[rates], 9)
    tree = tree_of(model, task.signal_names, task.rates_hz)
    said = model.predict(signals)  # type: ignore[attr-defined]
    nearest = task.rates_hz.size - 1 - np.abs(task.rates_hz[None, ::-1] - said[:, None]).argmin(axis=1)
    assert np.array_equal(tree.decide(signals, np.zeros(len(signals), np.int64)), nearest)
    assert len(tree) == 17 and train(task, task.signal_names, 0.1, 9).threshold.tolist() == tree.threshold.tolist()


def test_flash_and_time_are_counted() -> None:
    tree = _stairs()
    constants = cortex_m4()
    assert flash_bytes(tree, RATES.size) == 7 * 7 + 2 * tree.levels + 4 * 5 + constants["code_bytes"]
    assert tree.mean_depth() == pytest.approx(2.0, abs=0.3)
    cycles = constants["cycles_per_decision"] + tree.mean_depth() * constants["cycles_per_comparison"]
    assert decision_s(tree) == pytest.approx(cycles / constants["clock_mhz"] / 1e6)


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
