"""The metrics of a design."""

from __future__ import annotations

from typing import Any

from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, ObjectiveChoice, Quantity

BARRIER_ROOM = Quantity(
    "barrier_slack", "Slack to the barrier", "1/m", "none", "constraint",
    "Lower bound of the barrier in all episodes, within windows too. Below 0 a design may cross it and is on no front.",
)  # fmt: skip
QUANTITIES = (
    Quantity(
        "energy_j", "Energy of a window", "J", "minimise", "objective",
        "Mean energy of detector and radio over the time windows of all episodes.",
    ),
    Quantity(
        "clearance_m", "Least clearance", "m", "maximise", "objective",
        "Least distance to the middle of an obstacle beyond rbar, in all episodes, between the ends of windows too.",
    ),
    Quantity(
        "least_barrier", "Least value of the barrier", "1/m", "maximise", "metric",
        "Lower bound of h (eq. 6.6) in all episodes, between the ends of windows too.",
    ),
    Quantity(
        "tracking_m", "Tracking error", "m", "minimise", "objective",
        "Root of the mean squared distance from the middle of the lane.",
    ),
    Quantity(
        "progress_m_per_second", "Progress", "m/s", "maximise", "metric", "Way along the road over time, mean of episodes."
    ),
    Quantity(
        "violations", "Episodes beyond the barrier", "", "minimise", "metric",
        "Episodes in which the lower bound of h (eq. 6.6) falls below 0, between the ends of windows too.",
    ),
    Quantity("local_fraction", "Windows on the device", SHARE, "none", "metric", "In which the detector runs on the device."),
    Quantity(
        "extra_fraction", "Extra windows of sending", SHARE, "minimise", "metric", "In which a frame is sent on from before."
    ),
    Quantity(
        "corrected_fraction", "Steering corrected", SHARE, "none", "metric",
        "Share of windows whose steering the shield changed.",
    ),
    Quantity(
        "unproven_fraction", "Windows without a proof", SHARE, "minimise", "metric",
        "Share of windows at whose start no turn keeps the barrier for certain: safety rests on the driven episodes alone.",
    ),
    Quantity(
        "detector_s", "Detector on the device", "s", "minimise", "metric",
        "Latency of the detector for one frame on the device; it must fit into a window.",
    ),
    Quantity("sigma", "Sigma", "", "none", "decision", "Parameter sigma of the barrier (eq. 6.6)."),
    Quantity("radius_m", "Radius rbar", "m", "none", "decision", "Radius of the barrier (eq. 6.6)."),
    Quantity("margin_m", "Margin rho", "m", "none", "decision", "Margin of the shield (eq. 6.12)."),
    Quantity(
        "most_windows", "Cap on held windows", "", "none", "decision",
        "Largest number of windows for which the steering is held.",
    ),
    BARRIER_ROOM,
    LIMIT_SLACK,
)  # fmt: skip
ENERGY = Limit("energy_limit_j", "energy_j", "energy of a window", "J")
CLEARANCE = Limit("clearance_limit_m", "clearance_m", "clearance", "m", upper=False)
LIMITS = (ENERGY, CLEARANCE)
_SAFETY = {"clearance": "clearance_m", "barrier": "least_barrier"}
_DRIVING = {
    "tracking": ("tracking_m",),
    "progress": ("progress_m_per_second",),
    "both": ("tracking_m", "progress_m_per_second"),
}


def objective_columns(params: Any) -> tuple[str, ...]:
    """Return energy, safety and quality of driving, as chosen."""
    return ("energy_j", _SAFETY[params.safety], *_DRIVING[params.driving])


CHOICE = ObjectiveChoice(
    ("energy_j", "clearance_m", "least_barrier", "tracking_m", "progress_m_per_second"), objective_columns
)
