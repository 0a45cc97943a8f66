"""Results of a whole run: correlations, the tolerance sweep, remarks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.designs import Designs
from engines.contract.results import Curve, Matrix, Note, Result, Series, Table, TableColumn
from engines.methods.seesaw.evaluation import Instance
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.correlation import RANDOM_SHARES, Correlation


def sensor_words(sensors: Sequence[str]) -> str:
    """Names of sensors for people."""
    return " + ".join(name.replace("_", " ") for name in sensors)


def correlation_results(found: Sequence[Correlation], params: SeesawParams) -> tuple[Result, ...]:
    """Which sensors tell the rate, on true and on partly random data (goyal-2023 Figures 3.6 and 3.10)."""
    names = tuple(sensor_words(each.sensors) for each in found)
    limit = params.largest_cross_validation_percent / 100.0
    table = Table(
        "correlations",
        "Sensors that predict the best rate",
        (
            TableColumn("Sensors", names),
            TableColumn("Cross-validation error", np.array([100 * each.error for each in found]), "%"),
            TableColumn("Without correlation", np.array([100 * each.guess_error for each in found]), "%"),
            TableColumn("All random over true", np.array([each.errors[-1] / each.error for each in found]), "x"),
            TableColumn("Used", tuple("yes" if each.accepted(limit) else "no" for each in found)),
        ),
    )
    matrix = Matrix(
        "randomised",
        "Cross-validation error by share of random data",
        names,
        tuple(f"{share:.0%}" for share in RANDOM_SHARES),
        np.array([[100 * error for error in each.errors] for each in found]),
        "%",
        "Error",
    )
    return table, matrix


def sweep_curve(designs: Designs) -> Curve:
    """Life and error of the best predictor of every tolerance: that of longest life."""
    tolerance = designs.columns["tolerance_percent"]
    values = np.unique(tolerance[tolerance > 0])
    best = [_longest(designs, np.flatnonzero(tolerance == value)) for value in values]
    picked = designs.take(best)
    return Curve(
        "tolerance-sweep",
        "Longest life by tolerance",
        values,
        "Tolerance",
        "%",
        (
            Series("Battery life", picked.columns["battery_life_h"], "h"),
            Series("Error", picked.columns["error_percent"], "%"),
            Series("Largest error", picked.columns["largest_error_percent"], "%"),
            Series("Tolerance", values, "%", style="dash"),
        ),
    )


def _longest(designs: Designs, rows: np.ndarray) -> int:
    return int(rows[designs.columns["battery_life_h"][rows].argmax()])


def notes(instance: Instance, params: SeesawParams) -> tuple[Note, ...]:
    """What to know about the figures."""
    task = instance.task
    found = []
    if task.synthetic:
        text = (
            f"{task.title}: drawn, not recorded. Errors and rates say what the method does on such data, not on yours."
        )
        found.append(Note("synthetic", "Synthetic data", text, "warning"))
    if params.power == "shares":
        text = (
            "Life and power follow from the battery life and the power shares that were measured of the whole device."
        )
        if task.kind == "route" and params.standby_share is None:
            text += " What the receiver takes between updates was fitted to published gains."
    else:
        text = (
            "Powers are those printed of the board. Gains agree with published ones; lives do not, as the printed powers "
            "and the measured life of the device contradict each other."
        )
    found.append(Note("power", "Power of the device", text))
    if task.kind == "frames":
        text = (
            "The error of a video is a stand-in for VMAF: how far the picture moves while a frame is still shown. "
            "There is no feedback, as no error can be measured while the video is taken (goyal-2023 section 3.3.1)."
        )
        found.append(Note("video", "Error of videos", text, "warning"))
    return tuple(found)
