"""The metrics of a SCAR design."""

from __future__ import annotations

from engines.contract.quantities import SHARE, Quantity

QUANTITIES = (
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Sum over windows of the slowest model in each (odema-2024 section 4.3.5).",
    ),
    Quantity(
        "energy_j", "Energy", "J", "minimise", "objective",
        "Compute, transfers between chiplets and off-chip transfers of the whole scenario (odema-2024 section 4.3.6).",
    ),
    Quantity("edp_js", "EDP", "J·s", "minimise", "metric", "Latency times energy."),
    Quantity(
        "buffer_excess_mb", "Buffer excess", "MB", "minimise", "metric",
        "Amount by which the largest segment's weights and largest activations exceed the chiplet buffer. "
            "The method assumes that both fit.",
    ),
    Quantity("windows", "Windows", "", "none", "metric", "Number of time windows with layers."),
    Quantity(
        "chiplet_busy_fraction", "Chiplets busy", SHARE, "maximise", "metric",
        "Share of the time that the chiplets compute or transfer, mean over all chiplets.",
    ),
    Quantity(
        "link_peak_bytes", "Busiest link", "B", "minimise", "metric",
        "Largest number of bytes over one directed link in one time window.",
    ),
)  # fmt: skip
