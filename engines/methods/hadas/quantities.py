"""The metrics of a network with exits."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import SHARE, Quantity
from engines.mapping.designs.decision_columns import CLOCKS

QUANTITIES = (
    Quantity("energy_j", "Mean energy", "J", "minimise", "objective", "Mean energy of an input, with the exits on the way."),
    Quantity("latency_s", "Mean latency", "s", "minimise", "objective", "Mean latency of an input, with the exits on the way."),
    Quantity(
        "accuracy_percent", "Accuracy", "%", "maximise", "objective",
        "Share of correct inputs, by the rule of the design or under the ideal mapping. The ideal mapping "
            "leaves at the first correct end, which no rule can know at run time (odema-2024 section 2.3.3).",
    ),
    Quantity(
        "lost_percent", "Lost to the ideal", "%", "minimise", "metric",
        "Percentage points of accuracy below the ideal exit policy with the same exits; 0 for this policy itself.",
    ),
    Quantity(
        "threshold", "Threshold", "", "none", "metric",
        "Least confidence with which an input leaves, 0 to 1. Not defined under the ideal exit policy.",
    ),
    Quantity("exits", "Exits", "", "none", "metric", "Number of exits, without the network's own end."),
    Quantity("left_early_fraction", "Left early", SHARE, "none", "metric", "Share of the inputs that leave at an exit."),
    Quantity(
        "backbone_accuracy_percent", "Accuracy without exits", "%", "maximise", "metric", "Accuracy of the network's own end "
        "alone.",
    ),
    Quantity(
        "static_latency_s", "Latency without exits", "s", "minimise", "metric", "Latency of the same network at the highest "
        "clocks.",
    ),
    Quantity(
        "static_energy_j", "Energy without exits", "J", "minimise", "metric", "Energy of the same network at the highest clocks.",
    ),
    Quantity(
        "energy_gain_fraction", "Energy saved", SHARE, "maximise", "metric",
        "Share of energy saved against the same network without exits at the highest clocks.",
    ),
    Quantity(
        "exit_accuracy_percent", "Mean accuracy of exits", "%", "maximise", "metric",
        "Mean of N_i over the exits; the axis of Fig. 2.3. Not defined without exits.",
    ),
    Quantity(
        "score", "Score", "", "maximise", "metric",
        "Mean over the exits of N_i, the gains in energy and latency, and dissimilarity^gamma (eqs. 2.5 "
            "and 2.6). The published equation rewards costly exits; here gains are the network's cost over the "
            "exit's.",
    ),
    Quantity("macs", "MACs", "", "minimise", "metric", "Multiply-accumulates of the network without exits."),
    LIMIT_SLACK,
)  # fmt: skip
LIMITS = (
    Limit("latency_limit_s", "latency_s", "mean latency", "s"),
    Limit("energy_limit_j", "energy_j", "mean energy", "J"),
)

DECISION_COLUMNS = (
    DecisionColumn("resolution", "Resolution", "px", "Resolution of the input.", lambda d: d["backbone"]["resolution"]),
    DecisionColumn("depth", "Depth", help="Blocks of all stages.", read=lambda d: sum(d["backbone"]["depth"])),
    DecisionColumn("depths", "Depth of each stage", help="Blocks.", read=lambda d: d["backbone"]["depth"]),
    DecisionColumn("widths", "Width of each stage", help="Channels.", read=lambda d: d["backbone"]["width"]),
    DecisionColumn(
        "kernels",
        "Kernel of each stage",
        help="Side of the square kernel.",
        read=lambda d: d["backbone"]["kernel_size"],
    ),
    DecisionColumn(
        "ends", "Exits", help="Number of exits, without the network's own end.", read=lambda d: len(d["exits"])
    ),
    DecisionColumn(
        "exits", "Exits after", help="Blocks after which an exit is placed, counted from 1 over all stages."
    ),
    DecisionColumn("rule", "Rule", help="Exit rule that decides where an input leaves."),
    CLOCKS,
)
