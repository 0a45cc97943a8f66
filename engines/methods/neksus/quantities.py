"""The metrics of a package."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, ObjectiveChoice, Quantity
from engines.methods.neksus.params import NeksusParams

OBJECTIVES = {
    "cost_usd": "minimise_cost",
    "energy_j_per_bit": "minimise_energy",
    "frames_in_deadline_fraction": "maximise_frames",
    "latency_s": "minimise_latency",
    "micro_bumps": "minimise_micro_bumps",
}


def objective_columns(params: NeksusParams) -> tuple[str, ...]:
    """Return the columns that span the front."""
    return tuple(column for column, switch in OBJECTIVES.items() if getattr(params, switch))


QUANTITIES = (
    Quantity(
        "cost_usd", "Cost of a system", "USD", "minimise", "objective",
        "One-time costs divided by the number of systems, plus the costs of every system (goyal-2023 section 6.3).",
    ),
    Quantity(
        "energy_j_per_bit", "Energy per bit", "J/bit", "minimise", "objective",
        "Energy of blocks, network and memory divided by the bits that blocks transfer.",
    ),
    Quantity(
        "frames_in_deadline_fraction", "Frames on time", SHARE, "maximise", "objective",
        "Mean over chains of the deadline divided by the frame time. It is at most 1 and bounded by the "
            "busiest channel or block.",
    ),
    Quantity("latency_s", "Latency", "s", "minimise", "objective", "Time of a frame of the slowest chain."),
    Quantity("micro_bumps", "Micro-bumps", "", "minimise", "objective", "Micro-bumps of all chiplets and the hub."),
    Quantity(
        "busiest_channel_fraction", "Busiest channel", SHARE, "none", "metric",
        "Share of time in which the busiest channel transfers at the requested frame rate. Above 1 it is saturated.",
    ),
    Quantity("silicon_mm2", "Silicon", "mm²", "none", "metric", "Area of all chiplets with their micro-bumps, and of the hub."),
    Quantity("once_usd", "Paid once", "USD", "none", "metric", "One-time costs: masks, design, integration, verification."),
    Quantity(
        "each_usd", "Paid for every system", "USD", "none", "metric",
        "Costs per system: dies, interposer, assembly, test, and loss by defects.",
    ),
    Quantity("chiplets", "Chiplets", "", "none", "decision", "Number of chiplets without the hub."),
    Quantity("ports", "Ports", "", "none", "decision", "Ports of the hub, one for every mini-chain."),
    Quantity("chain_length", "Chain length", "", "none", "decision", "Largest number of chiplets of a mini-chain."),
    Quantity("serdes_ratio", "SerDes ratio", "", "none", "decision", "Bits of the channel that share a wire."),
    Quantity("channel_bits", "Channel width", "bit", "none", "decision", "Channel width of each direction."),
    Quantity(
        "new_chiplets", "New chiplets", "", "none", "decision",
        "Number of chiplets designed for the package; the others are bought.",
    ),
    LIMIT_SLACK,
)  # fmt: skip
LIMITS = (
    Limit("cost_limit_usd", "cost_usd", "cost of a system", "USD"),
    Limit("latency_limit_s", "latency_s", "latency", "s"),
    Limit("least_frames_percent", "frames_in_deadline_fraction", "frames on time", "%", upper=False, scale=0.01),
    Limit("micro_bump_limit", "micro_bumps", "micro-bumps", ""),
)
CHOICE = ObjectiveChoice(tuple(OBJECTIVES), objective_columns)

DECISION_COLUMNS = (
    DecisionColumn("topology", "Topology"),
    DecisionColumn("flow", "Flow", help="How blocks hand data on: by the memory, by buffers, or directly."),
    DecisionColumn("together", "Blocks of each chiplet", read=lambda d: ["+".join(blocks) for blocks in d["chiplets"]]),
    DecisionColumn(
        "bought", "Bought blocks", read=lambda d: ["+".join(d["chiplets"][number]) for number in d["bought"]]
    ),
)
