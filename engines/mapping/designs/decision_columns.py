"""What a mapping decides, as columns of tables."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn

CLOCKS = DecisionColumn("clocks_mhz", "Clock", "MHz", "That the unit or the memory runs at.")
MAPPING_COLUMNS = (
    DecisionColumn(
        "units", "Unit of each block", help="In the order of the network's blocks; what follows itself is told once."
    ),
    CLOCKS,
)
