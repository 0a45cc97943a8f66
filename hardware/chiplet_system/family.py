"""Systems of IP blocks as a family of documents."""

from __future__ import annotations

from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.chiplet_system.schema import ChipletSystemDocument
from hardware.chiplet_system.summary import chiplet_system_words
from hardware.family import DocumentFamily

CHIPLET_SYSTEM = DocumentFamily(
    "chiplet-system", "hardware", "System of IP blocks", "Systems of IP blocks", load_chiplet_system, chiplet_system_words,
    ChipletSystemDocument, builtin_chiplet_systems,
)  # fmt: skip
