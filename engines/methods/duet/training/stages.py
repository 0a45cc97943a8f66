"""The published procedure: one layer more is split at a time, from the bottom MLP's first up, and the model is trained again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.engine import Problem, require
from engines.contract.errors import DecisionError
from engines.methods.duet.decomposition import Decomposition, decomposed
from engines.methods.duet.recommender import Recommender, macs_of, widths_of
from engines.methods.duet.training.clicks import ClickLog
from engines.methods.duet.training.params import TrainRecommenderParams


@dataclass(frozen=True)
class Stage:
    """How far the model is split; None of both kinds of layers: monolithic."""

    bottom_layers: int
    top_layers: int

    @property
    def title(self) -> str:
        """For tables."""
        if not self.bottom_layers and not self.top_layers:
            return "Monolithic"
        bottom = f"{self.bottom_layers} of the bottom MLP"
        return f"{bottom}, {self.top_layers} of the top MLP"

    def parts(self, model: Recommender) -> Decomposition | None:
        """Return the widths; None for the monolithic model."""
        if not self.bottom_layers and not self.top_layers:
            return None
        return decomposed(model, self.bottom_layers > 0, self.top_layers, model.feature_share, self.bottom_layers)

    def macs(self, model: Recommender) -> tuple[int, int]:
        """Return the multiply-accumulates of the datacentre for a candidate, and of the device for a query."""
        parts = self.parts(model)
        if parts is None:
            return macs_of((model.features, *model.top)) + macs_of(model.bottom), 0
        device = macs_of(parts.dynamic) + macs_of(parts.joined) + macs_of(parts.user_top)
        return macs_of(parts.item_top) + macs_of(parts.combined), device


Choice = tuple[Stage, bool]  # with whether the user's top MLP is quantised


def stages_of(model: Recommender) -> tuple[Stage, ...]:
    """Return the monolithic first, then one layer more each, up to all but the last of the top MLP."""
    bottom = max(0, len(model.bottom) - 1)
    found = [Stage(count, 0) for count in range(bottom + 1)]
    return (*found, *(Stage(bottom, count) for count in range(1, len(model.top))))


def recommender_for(problem: Problem[TrainRecommenderParams], log: ClickLog) -> Recommender:
    """Return the monolithic model.

    Raises:
        ProblemError: widths that do not fit the log or each other.
    """
    params = problem.params
    bottom = tuple(widths_of(params.bottom_mlp, "params.bottom_mlp"))
    top = tuple(widths_of(params.top_mlp, "params.top_mlp"))
    if log.dense.shape[1]:
        fits = (
            bool(bottom) and bottom[-1] == params.embedding_dimension and min(bottom) >= 2 and log.dense.shape[1] >= 2
        )
        accepted = f"widths from 2 on that end in embedding_dimension, {params.embedding_dimension}"
        require(fits, "params.bottom_mlp", params.bottom_mlp, accepted)
    fits = bool(top) and top[-1] == 1 and min(top[:-1], default=2) >= 2
    require(fits, "params.top_mlp", params.top_mlp, 'widths from 2 on that end in 1, as "32-16-1"')
    return log.recommender(bottom, top, params.embedding_dimension)


def stage_of(decision: Mapping[str, Any], stages: tuple[Stage, ...]) -> Choice:
    """Return stage and precision of a decision.

    Raises:
        DecisionError: there is no such stage, or nothing of it could be quantised.
    """
    found, eight = Stage(decision.get("bottom_layers", -1), decision.get("top_layers", -1)), decision.get("int8", False)
    if found not in stages:
        pairs = ", ".join(f"{each.bottom_layers} and {each.top_layers}" for each in stages)
        raise DecisionError("decision", dict(decision), f"bottom_layers and top_layers of a stage: {pairs}")
    if not isinstance(eight, bool) or (eight and not found.top_layers):
        raise DecisionError("decision.int8", eight, "false, or true for a stage with a split layer of the top MLP")
    return stages[stages.index(found)], eight
