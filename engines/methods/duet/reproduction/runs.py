"""The published split of a model on the published machines, and what is taken of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import nan, prod
from pathlib import Path

import numpy as np

from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.duet.costs import AREA_MM2_PER_BYTE, monolithic
from engines.methods.duet.decomposition import user_top_bytes
from engines.methods.duet.instance import DuetInstance, instance_of
from engines.methods.duet.outcome import variant
from engines.methods.duet.recommender import BUILT_IN, built_in
from engines.methods.duet.scoring import Scorer
from engines.reproduction.frame import Case
from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "goyal-2023")
MODELS = BUILT_IN
SHARES = ("user_emb", "item_emb", "bottom_mlp", "top_mlp")


@cache
def instance_called(model: str) -> DuetInstance:
    """Return a model on the publication's phone, with its energy and no delay of the network; all else as the form has it."""
    names = {"hardware": "snapdragon-855", "radio": "5g-low-band-smartphone", "battery": "phone-battery-3400mah"}
    documents = {slot: get_builtin("hardware", slug) for slot, slug in names.items()}
    return instance_of(make_problem("duet", documents, {"model": model, "edge_energy": "published", "delay_ms": 0.0}))


@dataclass(frozen=True)
class PublishedSplit(Case[Mapping[str, float]]):
    """The costs of a model's published split for a query, compared with the monolithic model."""

    model: str
    size: int = 1024

    def run(self) -> Mapping[str, float]:
        """Return gains, shares in per cent, joules and hours; names ending in "_without" are without the hardware optimisations."""
        scorer = variant(instance_called(self.model), query_size=self.size)
        rows = scorer.published
        columns = scorer.columns(rows)
        plain = rows[:1].copy()
        plain[0, 5] = 0  # the user's top MLP in 32-bit numbers, with the hardware unit
        unquantised = scorer.columns(plain)
        total, edge = columns["energy_j"], columns["edge_energy_j"]
        hours = scorer.instance.params.idle_life_h
        return {
            **_shares(scorer, self.size),
            "latency_gain": float(columns["latency_gain"][0]),
            "energy_gain": float(columns["energy_gain"][0]),
            "energy_gain_without": float(columns["energy_gain"][1]),
            "energy_gain_unquantised": float(unquantised["energy_gain"][0]),
            "datacentre_gain": scorer.alone_j / float(columns["datacentre_energy_j"][0]),
            "datacentre_share": 100 * float(columns["datacentre_energy_j"][0] / total[0]),
            "edge_share": 100 * float(edge[0] / total[0]),
            "edge_saved": 100 * (1 - float(edge[0] / edge[1])),
            "battery_drop": 100 * (1 - float(columns["battery_life_h"][0]) / hours),
            "battery_drop_without": 100 * (1 - float(columns["battery_life_h"][1]) / hours),
            "battery_life_without": float(columns["battery_life_h"][1]),
            "queries_per_s": 1 / scorer.alone_s,
        }

    def blank(self) -> Mapping[str, float]:
        """Return the published rows without computed values."""
        return defaultdict(lambda: nan)


def _shares(scorer: Scorer, size: int) -> dict[str, float]:
    found = monolithic(scorer.instance.model, scorer.instance.server, np.array([float(size)]))
    parts = (found.user_lookups_s, found.item_lookups_s, found.bottom_s, found.top_s)
    return {name: 100 * float(part[0] / found.seconds[0]) for name, part in zip(SHARES, parts, strict=True)}


@dataclass(frozen=True)
class Sizes(Case[Mapping[str, float]]):
    """The sizes of the user's half of a model on the device."""

    model: str

    def run(self) -> Mapping[str, float]:
        """Return kiB, mm², and MB of the user top MLP."""
        model, scorer = built_in(self.model), variant(instance_called(self.model))
        space = scorer.instance.space
        parts = space.parts[(space.split_bottom[-1], model.published_split, space.nominal)]
        return {
            "scratchpad_kib": model.scratchpad_bytes / 1024,
            "area_mm2": model.scratchpad_bytes * AREA_MM2_PER_BYTE,
            "user_top_fp32_mb": user_top_bytes(parts, 4) / 1e6,
            "user_top_int8_mb": user_top_bytes(parts, 1) / 1e6,
            "user_share": 100 * model.feature_share,
            "user_lookups": float(max(each.user_lookups for each in model.tables)),
        }

    def blank(self) -> Mapping[str, float]:
        """Return the published rows without computed values."""
        return defaultdict(lambda: nan)


def geometric_mean(values: list[float]) -> float:
    """Return the geometric mean of positive numbers."""
    return float(prod(values) ** (1 / len(values))) if values else nan
