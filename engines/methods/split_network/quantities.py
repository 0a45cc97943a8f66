"""The metrics of a cut."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import Quantity

QUANTITIES = (
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Layers on the device, upload, round trip and waiting, layers of the server, one after the other; mean over time.",
    ),
    Quantity(
        "energy_j", "Energy of the device", "J", "minimise", "objective",
        "Layers on the device, and the radio while it sends (base + slope x throughput); mean over time.",
    ),
    Quantity(
        "uploaded_bytes", "Uploaded", "B", "minimise", "objective",
        "Data that the device sends: each result that the server reads, once.",
    ),
    Quantity(
        "latency_95_s", "95th-percentile latency", "s", "minimise", "metric",
        "95 % of 2,000 sampled channel and queue states stay below this latency.",
    ),
    Quantity(
        "device_memory_bytes", "Memory on the device", "B", "minimise", "metric",
        "Weights of the layers on the device, and inputs and results of the one that has most.",
    ),
    Quantity("device_layers", "Layers on the device", "", "none", "decision", "Number of layers on the device."),
    Quantity("bottleneck", "Bottleneck", "", "none", "decision", "1 if the transferred data passes through a bottleneck, else 0."),
    LIMIT_SLACK,
)  # fmt: skip
LATENCY = Limit("latency_limit_s", "latency_s", "latency", "s")
ENERGY = Limit("energy_limit_j", "energy_j", "energy of the device", "J")
MEMORY = Limit("memory_limit_mb", "device_memory_bytes", "memory of the device", "MB", scale=1e6)
LIMITS = (LATENCY, ENERGY, MEMORY)

DECISION_COLUMNS = (
    DecisionColumn("last_on_device", "Last layers on the device", help="Layers whose results the device sends."),
    DecisionColumn("bottleneck", "Bottleneck", help="Whether the transferred data passes through a bottleneck."),
)
