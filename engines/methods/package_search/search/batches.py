"""The batches that both searches yield to the engine: schedules found together, and the position to continue from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.methods.package_search.search.scheduling import BestSchedule

SIZE = 8  # packages scheduled together: enough to keep two workers busy, few enough that a stop is noticed soon


@dataclass(frozen=True)
class Batch:
    """Schedules found together.

    Attributes:
        message: message on the action.
        founds: the schedules, in a fixed order.
        fraction: share of the search that is done.
        position: further state of a checkpoint next to `Progress` and the stored designs.
        baselines: name of each schedule's package where it is a baseline; empty for what was searched.
    """

    message: str
    founds: tuple[BestSchedule, ...]
    fraction: float
    position: Mapping[str, Any]
    baselines: tuple[str, ...] = ()
