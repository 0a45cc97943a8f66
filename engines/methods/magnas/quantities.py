"""The metrics of an architecture with its mapping."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK
from engines.contract.quantities import Quantity
from engines.mapping.designs.decision_columns import MAPPING_COLUMNS

QUANTITIES = (
    Quantity(
        "accuracy_percent", "Accuracy", "%", "maximise", "objective",
        "With weights: measured on the validation images of their data set. Without: that of the nearest published network, a "
        "coarse stand-in.",
    ),
    Quantity(
        "latency_s", "Latency", "s", "minimise", "objective",
        "Sum over blocks, plus a transfer through memory at every unit transition (odema-2023 eq. 6).",
    ),
    Quantity("energy_j", "Energy", "J", "minimise", "objective", "Sum over blocks and transfers (odema-2023 eq. 7)."),
    Quantity("power_w", "Average power", "W", "minimise", "metric", "Energy over latency."),
    Quantity(
        "mapping_product", "Mapping's product", "", "minimise", "metric",
        "Energy and latency relative to the best single units, each to its power, multiplied (eq. 13). Below 1 is better.",
    ),
    Quantity(
        "transitions", "Unit transitions", "", "minimise", "metric",
        "Number of consecutive block pairs on different compute units.",
    ),
    Quantity("macs", "MACs", "", "minimise", "metric", "Multiply-accumulate operations of one image."),
    Quantity("blocks", "Blocks", "", "none", "metric", "Graphers of the architecture, each with its feed-forward part if any."),
    LIMIT_SLACK,
)  # fmt: skip

DECISION_COLUMNS = (
    DecisionColumn(
        "operators",
        "Operators",
        help="Operator of each superblock.",
        read=lambda d: [b["operator"] for b in d["architecture"]],
    ),
    DecisionColumn(
        "depths", "Depths", help="Layers of the superblocks.", read=lambda d: [b["depth"] for b in d["architecture"]]
    ),
    DecisionColumn(
        "hidden", "Hidden", help="Width of the superblocks.", read=lambda d: [b["hidden"] for b in d["architecture"]]
    ),
    *MAPPING_COLUMNS,
)
