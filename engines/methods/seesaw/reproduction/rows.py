"""The common parts of the comparisons of Seesaw: what is printed, readings, reasons, and the power of the published devices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engines.contract.engine import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.seesaw.costs.power import Calibration, NodePower, node_power
from engines.methods.seesaw.evaluation import ROUTE_STANDBY_SHARE
from engines.methods.seesaw.params import SeesawParams
from engines.reproduction.rows import Publication
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from hardware.sensor_node.model import SensorNode

PUBLICATION = Publication(Path(__file__).parent, "goyal-2023")
SHARES, BOARD, SQUARE = "measured shares", "board powers", "mean square"
READINGS: Mapping[str, str] = MappingProxyType(
    {
        SHARES: "Power follows from the measured battery life and power shares of the whole device",
        BOARD: "Power follows from the published powers of the board (eq. 3.1), nothing fitted",
        SQUARE: "Cross-validation errors are mean squares, not their roots",
    }
)
TOLERANCES = (5, 10, 20)
TRACKER, CAMERA = "fitness-tracker", "openmv-gps-camera"
PROCESSOR_SLEEP_SHARE = 0.42  # fitted to the 18 % that sleep gains at 30 frames/s
CALIBRATIONS: tuple[tuple[str, Calibration], ...] = ((SHARES, "shares"), (BOARD, "board"))

LIFE_CONTRADICTS = (
    "The published powers and the published life contradict each other. By the life, {life:g} h from {capacity:g} "
    "Wh is {needed:.3g} W. The published powers add up to {board:.3g} W. The life follows from the measured "
    "shares instead."
)
SYNTHETIC_ROUTES = (
    "On synthetic routes: the 200 published ones are not available. Bounds of their bends were chosen in sight of "
    "the published intervals, so agreement in size is no evidence. The largest error is evidence: feedback keeps it "
    "near the tolerance."
)
SYNTHETIC_VIDEOS = (
    "On synthetic videos, because the published ones are not available and VMAF takes the videos themselves. The "
    "one constant of the stand-in for VMAF was fitted to the published frame rates."
)
GAIN_OF_AVERAGES = (
    "At the published mean frame rate even power in proportion to the rate gives {gain:.3g} %. Only the average of "
    "gains per video can be as high as published."
)
OTHER_MICROCONTROLLER = (
    "Counted by instructions of our tables of 7 bytes per node. The published tree ran on a Cortex-M4. Its clock, "
    "code and share of libraries in the memory are not stated."
)
TREE_POWER = "Published run time once a second times the published power of the board ({name}, {power:g} mW)."
LIFE_IS_BEHIND = "The published powers of the board are those of a replica and larger than the device's."
SQUARED = (
    "If it is a mean square, the error is of the order 0.01. The text names this for the camera and may mean it for "
    "the tracker."
)
TRUE_ERRORS = {"tracker": "fig3.10.cv_error_true", "camera": "fig3.6.cv_error_true"}
NOISY = "Where a bend begins cannot be known in advance, so the best rate of synthetic routes is partly chance."


def contradiction(life_h: float, power: NodePower, rate_hz: float) -> str:
    """Return why a battery life derived from the published powers differs from the published one."""
    needed = power.capacity_j / life_h / 3600.0
    printed = float(power.mean_w(rate_hz))
    return LIFE_CONTRADICTS.format(life=life_h, capacity=power.capacity_j / 3600.0, needed=needed, board=printed)


def node_of(slug: str) -> SensorNode:
    """Return a built-in sensor node."""
    return load_sensor_node(builtin_sensor_nodes()[slug])


def power_of(slug: str, calibration: Calibration) -> NodePower:
    """Return the power of a published device under a calibration."""
    tracker = slug == TRACKER
    return node_power(
        node_of(slug), calibration, ROUTE_STANDBY_SHARE if tracker else 0.0, 0.0 if tracker else PROCESSOR_SLEEP_SHARE
    )


def problem_of(node: str, recording: str, params: Mapping[str, Any]) -> Problem[SeesawParams]:
    """Return the problem of the engine with a node and a recording."""
    inputs = {"hardware": get_builtin("hardware", node), "data": get_builtin("data", recording)}
    return make_problem("seesaw", inputs, params, seed=1)
