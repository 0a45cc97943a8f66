"""The metrics of a split recommender."""

from __future__ import annotations

from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.methods.duet.params import OBJECTIVE_COLUMNS, DuetParams

QUANTITIES = (
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Network delay, then the later of device with upload and candidates' part, then the combined top MLP "
            "(goyal-2023 Figure 5.4).",
    ),
    Quantity(
        "edge_energy_j", "Device energy", "J", "minimise", "objective", "Device energy of a query: computing and upload.",
    ),
    Quantity(
        "datacentre_energy_j", "Datacentre energy", "J", "minimise", "objective",
        "Datacentre energy of a query: power of a server x its time, for all servers that share the query.",
    ),
    Quantity(
        "area_mm2", "Silicon area", "mm²", "minimise", "objective",
        "Scratchpad and location tracker on the device, or its near-memory units if their area is known.",
    ),
    Quantity(
        "accuracy_loss_percent", "Accuracy lost", "%", "minimise", "objective",
        "Percentage points. The published loss of all layers split and int8 is divided among layers and parts; history "
            "and ratio are assumed.",
    ),
    Quantity("battery_life_h", "Battery life", "h", "maximise", "metric", "Battery life of the device with its queries per hour."),
    Quantity("energy_j", "Energy in all", "J", "minimise", "metric", "Energy of a query on device and datacentre."),
    Quantity("payload_bytes", "Uploaded", "B", "minimise", "metric", "Data that the device sends per query."),
    Quantity(
        "edge_s", "Device and upload", "s", "minimise", "metric",
        "Time to compute and send on the device, without the network delay.",
    ),
    Quantity("latency_gain", "Speedup", "x", "maximise", "metric", "Latency of the monolithic model divided by the "
    "latency of this design."),
    Quantity("energy_gain", "Energy factor", "x", "maximise", "metric", "Energy of the monolithic model divided by the energy "
    "of this design, device and datacentre together."),
    Quantity("top_layers", "Top layers split", "", "none", "decision", "Number of split layers, counted from the first."),
    Quantity("split_ratio", "Split ratio", "", "none", "decision", "The user's share of each split layer."),
    Quantity("history_lookups", "History", "", "none", "decision", "Lookups that the longest table of the user keeps."),
    Quantity("batch", "Batch", "", "none", "decision", "Number of candidates that one server computes together."),
    LIMIT_SLACK,
)  # fmt: skip
LATENCY = Limit("latency_limit_s", "latency_s", "latency", "s")
EDGE_ENERGY = Limit("edge_energy_limit_j", "edge_energy_j", "energy of the device", "J")
AREA = Limit("area_limit_mm2", "area_mm2", "silicon area", "mm²")
ACCURACY = Limit("accuracy_loss_limit_percent", "accuracy_loss_percent", "accuracy lost", "%")
LIMITS = (LATENCY, EDGE_ENERGY, AREA, ACCURACY)


def chosen_objectives(params: DuetParams) -> tuple[str, ...]:
    """Return the columns that span the front."""
    return tuple(column for name, column in OBJECTIVE_COLUMNS.items() if getattr(params, name))


OBJECTIVES = ObjectiveChoice(tuple(OBJECTIVE_COLUMNS.values()), chosen_objectives)
