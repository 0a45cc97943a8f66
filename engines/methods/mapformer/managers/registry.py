"""Managers by name."""

from __future__ import annotations

from engines.methods.mapformer.managers.genetic import GeneticManager
from engines.methods.mapformer.managers.manager import Manager, Task
from engines.methods.mapformer.managers.mapformer import MapFormerManager
from engines.methods.mapformer.managers.mosaic import MosaicManager
from engines.methods.mapformer.managers.odmdef import OdmdefManager
from engines.methods.mapformer.managers.omniboost import OmniBoostManager, OmniBoostPowerManager
from engines.methods.mapformer.managers.ours import OurManager
from engines.methods.mapformer.managers.reference import RandomManager, WholeGpuManager

MANAGERS: dict[str, type[Manager]] = {
    "ours": OurManager,
    "mapformer": MapFormerManager,
    "random": RandomManager,
    "gpu": WholeGpuManager,
    "genetic": GeneticManager,
    "mosaic": MosaicManager,
    "odmdef": OdmdefManager,
    "omniboost": OmniBoostManager,
    "omniboost-power": OmniBoostPowerManager,
}


def manager_of(name: str, task: Task) -> Manager:
    """Return a manager with its task."""
    return MANAGERS[name](task)
