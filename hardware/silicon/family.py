"""Costs of silicon as a family of documents."""

from __future__ import annotations

from hardware.family import DocumentFamily
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from hardware.silicon.schema import SiliconCostDocument
from hardware.silicon.summary import silicon_words

SILICON_COST = DocumentFamily(
    "silicon-cost", "hardware", "Silicon costs", "Silicon costs", load_silicon_costs, silicon_words, SiliconCostDocument,
    builtin_silicon_costs,
)  # fmt: skip
