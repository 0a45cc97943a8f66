"""Results of a whole run: correlations, why nothing predicts, the tolerance sweep, remarks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Infeasibility, Problem
from engines.contract.limits import beyond
from engines.contract.results import Curve, Matrix, Note, Result, Series, Table, TableColumn
from engines.methods.seesaw.evaluation import Instance
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.correlation import RANDOM_SHARES, Correlation

_UNCHANGED = 1e-6  # deviation of the best rate, as a share of the range, below which it does not change


def sensor_words(sensors: Sequence[str]) -> str:
    """Return the names of sensors for people."""
    return " + ".join(name.replace("_", " ") for name in sensors)


def correlation_results(found: Sequence[Correlation], params: SeesawParams) -> tuple[Result, ...]:
    """Return the correlation of sensors with the rate, on true and on partly random data (goyal-2023 Figures 3.6 and 3.10)."""
    names = tuple(sensor_words(each.sensors) for each in found)
    limit = params.largest_cross_validation_percent / 100.0
    table = Table(
        "correlations", "Sensors that predict the best rate",
        (
            TableColumn("Sensors", names),
            TableColumn("Cross-validation error", np.array([100 * each.error for each in found]), "%"),
            TableColumn("Without correlation", np.array([100 * each.guess_error for each in found]), "%"),
            TableColumn("All random over true", np.array([each.errors[-1] / each.error for each in found]), "x"),
            TableColumn("Used", tuple("yes" if each.accepted(limit) else "no" for each in found)),
        ),
    )  # fmt: skip
    matrix = Matrix(
        "randomised", "Cross-validation error by share of random data", names, tuple(f"{share:.0%}" for share in RANDOM_SHARES),
        np.array([[100 * error for error in each.errors] for each in found]), "%", "Error",
    )  # fmt: skip
    return table, matrix


def nothing_predicts(
    problem: Problem[SeesawParams], found: Sequence[Correlation], fixed: Designs
) -> tuple[Infeasibility, str]:
    """Return the note that no sensors are accepted; `fixed` are the fixed rates, which show whether the lowest is good enough."""
    params, best = problem.params, min(found, key=lambda each: each.error)
    limit, least = params.largest_cross_validation_percent, params.least_tolerance_percent
    demand, bound = 100 * best.error, min(limit, 95 * best.guess_error)
    if best.guess_error < _UNCHANGED:
        remedies = [
            ("Allow less error: at a lower tolerance the best rate may change.", "params.least_tolerance_percent"),
            ("Take a recording with more changes.", "inputs.data"),
        ]
        words = f"deviation of the best rate over {problem.inputs['data'].slug}, which sensors could predict"
        none = beyond(words, 100 * _UNCHANGED, 0.0, "%", remedies)
        return none, "One rate is the best everywhere: there is nothing to predict."
    remedies = [("Use a recording whose cheap sensors say something about the costly one.", "inputs.data")]
    lowest = int(fixed.columns["battery_life_h"].argmax())
    error = float(fixed.columns["error_percent"][lowest])
    if error < least:
        words = (
            f"Allow less error: {fixed.label[lowest]} has an average error of {error:.2g} %, less than the "
            "least tolerance."
        )
        remedies.insert(0, (words, "params.least_tolerance_percent"))
    if bound == limit:
        words = f"Allow a cross-validation error of {demand:.3g} %."
        remedies.insert(0, (words, "params.largest_cross_validation_percent"))
    words = f"cross-validation error of the best sensors ({sensor_words(best.sensors)})"
    return beyond(words, demand, bound, "%", remedies), "No cheap sensor predicts the rate of the costly one."


def sweep_curve(designs: Designs) -> Curve:
    """Return the life and error of the best predictor of every tolerance: that of longest life."""
    tolerance, life = designs.columns["tolerance_percent"], designs.columns["battery_life_h"]
    values = np.unique(tolerance[tolerance > 0])
    rows = [int(np.where(tolerance == value, life, -np.inf).argmax()) for value in values]
    columns = designs.take(rows).columns
    series = (
        Series("Battery life", columns["battery_life_h"], "h"),
        Series("Error", columns["error_percent"], "%"),
        Series("Largest error", columns["largest_error_percent"], "%"),
        Series("Tolerance", values, "%", style="dash"),
    )
    return Curve("tolerance-sweep", "Longest life by tolerance", values, "Tolerance", "%", series)


def notes(instance: Instance, params: SeesawParams) -> tuple[Note, ...]:
    """Return the notes on power, battery and error that a reader of the results needs."""
    task, found = instance.task, []
    if task.synthetic:
        text = "drawn, not recorded. Errors and rates say what the method does on such data, not on yours."
        found.append(Note("synthetic", "Synthetic data", f"{task.title}: {text}", "warning"))
    if params.power == "shares":
        text = (
            "Life and power follow from the battery life and the power shares that were measured of the whole device."
        )
        if task.kind == "route" and params.standby_share is None:
            text += " The power of the receiver between updates was fitted to published gains."
    else:
        text = (
            "Powers are the published powers of the board. Gains agree with published ones; lives do not, as "
            "the published powers "
        )
        text += "and the measured life of the device contradict each other."
    found.append(Note("power", "Power of the device", text))
    if task.kind == "frames":
        text = "The error of a video replaces VMAF: it is the movement of the picture during a frame. "
        text += "There is no feedback, as no error can be measured while the video is taken (goyal-2023 section 3.3.1)."
        found.append(Note("video", "Error of videos", text, "warning"))
    return tuple(found)
