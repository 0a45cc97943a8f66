"""Quantities of the engine seesaw."""

from __future__ import annotations

from engines.contract.quantities import Quantity

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "battery_life_h", "Battery life", "h", "maximise", "objective",
        "Usable capacity over mean power (goyal-2023 eq. 3.3), the test tracks over and over.",
    ),
    Quantity(
        "error_percent", "Error", "%", "minimise", "objective",
        "Mean over the test tracks; of a route that of goyal-2023 eq. 3.4, with absolute differences.",
    ),
    Quantity(
        "error_slack_percent", "Error slack", "%", "none", "constraint",
        "Allowed largest error minus the largest error, in percentage points.",
    ),
    Quantity("largest_error_percent", "Largest error", "%", "minimise", "metric", "Error of the test track with the largest "
    "error."),
    Quantity("gain_percent", "Gain", "%", "maximise", "metric",
             "Battery life relative to that at the highest rate with sleep, minus 100 %, mean over the test tracks."),
    Quantity("mean_power_w", "Mean power", "W", "minimise", "metric", "Mean power of the whole device over the test tracks."),
    Quantity("mean_rate_hz", "Mean rate", "Hz", "minimise", "metric", "Mean rate of the costly sensor over the test tracks."),
    Quantity("mean_interval_s", "Mean interval", "s", "maximise", "metric", "Mean over the test tracks of 1 / mean rate."),
    Quantity("cross_validation_percent", "Cross-validation error", "%", "minimise", "metric",
             "Root mean square over the folds, of the range of rates (goyal-2023 section 3.2.2); of a fixed rate 0."),
    Quantity("moves_per_hour", "Feedback moves", "1/h", "none", "metric", "Number of moves of the start node per hour of track."),
    Quantity("tree_nodes", "Tree nodes", "", "minimise", "metric", "Inner nodes and leaves; 0 for a fixed rate."),
    Quantity("flash_bytes", "Flash", "B", "minimise", "metric",
             "Tables and code of the exported predictor on a Cortex-M4, counted by instructions."),
    Quantity("decision_s", "Decision time", "s", "minimise", "metric",
             "On a Cortex-M4 of 168 MHz, counted by instructions: an estimate."),
    Quantity("tolerance_percent", "Tolerance", "%", "none", "decision", "Tolerance that the tree was trained for; 0 for a "
    "fixed rate."),
)  # fmt: skip
