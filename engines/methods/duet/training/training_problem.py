"""A problem of a training made ready."""

from __future__ import annotations

from dataclasses import dataclass

from engines.methods.duet.recommender import Recommender
from engines.methods.duet.training.clicks import ClickLog
from engines.methods.duet.training.stages import Stage, stages_of


@dataclass(frozen=True, eq=False)
class TrainingProblem:
    """The log, and the monolithic model of it."""

    log: ClickLog
    model: Recommender

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Monolithic first."""
        return stages_of(self.model)
