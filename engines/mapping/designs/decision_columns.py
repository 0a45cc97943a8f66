"""Decisions of a mapping, as columns of tables."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn

CLOCKS = DecisionColumn("clocks_mhz", "Clock", "MHz", "Clock frequency of the unit or the memory.")
MAPPING_COLUMNS = (
    DecisionColumn(
        "units",
        "Unit of each block",
        help="Compute units in the order of the network's blocks. A repeated unit is listed once.",
    ),
    CLOCKS,
)
