from __future__ import annotations

import numpy as np

from engines.methods.seesaw.predictor.task import Task, build_task
from engines.methods.seesaw.predictor.tree import RateTree, fit, tree_of
from engines.recordings.loader import load_recording
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from tests.engines.methods.seesaw.problems import recording

RATES = np.array([0.1, 0.2, 0.4, 0.8, 1.0])


def task_of(kind: str, node: str, **said: float) -> Task:
    """A small task."""
    sensor = load_sensor_node(builtin_sensor_nodes()[node]).rated_sensor
    return build_task(load_recording(recording(kind, tracks=12, duration_s=200, **said).content), sensor, 0.5, 6.0)


def stairs() -> RateTree:
    """A tree of four leaves: the rate rises with the first signal."""
    signals = np.linspace(0, 4, 400, endpoint=False, dtype=np.float32)[:, None]
    rates = RATES[np.array([0, 1, 2, 4])][signals[:, 0].astype(int)]
    return tree_of(fit(np.hstack((signals, 0 * signals)), rates, 4), ("turn", "speed"), RATES)
