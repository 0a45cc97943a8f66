"""What the numbers of an architecture with its mapping mean."""

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
        "Sum over blocks, and of a hand-over through memory wherever the unit changes (odema-2023 eq. 6).",
    ),
    Quantity("energy_j", "Energy", "J", "minimise", "objective", "Sum over blocks and hand-overs (odema-2023 eq. 7)."),
    Quantity("power_w", "Average power", "W", "minimise", "metric", "Energy over latency."),
    Quantity(
        "mapping_product", "Mapping's product", "", "minimise", "metric",
        "Eq. 13: energy and latency over those of the best single units, each to its power; below 1 it beats them together.",
    ),
    Quantity("transitions", "Changes of unit", "", "minimise", "metric", "How often two blocks in a row run on different units."),
    Quantity("macs", "MACs", "", "minimise", "metric", "Multiply-accumulate operations of one image."),
    Quantity("blocks", "Blocks", "", "none", "metric", "Graphers of the architecture, each with its feed-forward part if any."),
    LIMIT_SLACK,
)  # fmt: skip

DECISION_COLUMNS = (
    DecisionColumn(
        "operators", "Operators", help="Of the superblocks.", read=lambda d: [b["operator"] for b in d["architecture"]]
    ),
    DecisionColumn(
        "depths", "Depths", help="Layers of the superblocks.", read=lambda d: [b["depth"] for b in d["architecture"]]
    ),
    DecisionColumn(
        "hidden", "Hidden", help="Width of the superblocks.", read=lambda d: [b["hidden"] for b in d["architecture"]]
    ),
    *MAPPING_COLUMNS,
)
