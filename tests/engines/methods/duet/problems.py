"""Recommenders that are split, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.engine import Document, Problem
from engines.contract.results import Result, Table
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.duet.instance import DuetInstance, instance_of
from engines.testing.conformance import TinyProblem

SMALL = """
title: Small
bottom_mlp: [16, 8, 4]
top_mlp: [12, 6, 1]
embedding_dimension: 4
tables:
  - {side: user, count: 2, lookups: 5}
  - {side: shared, count: 1, lookups: 4}
  - {side: item, lookups: 3}
"""


def duet_problem(
    params: Mapping[str, Any] | None = None, radio: Document | str = "5g-low-band-smartphone", seed: int = 0
) -> Problem[Any]:
    """RM1 on a phone over 5G by default."""
    documents = {
        "hardware": get_builtin("hardware", "snapdragon-855"),
        "radio": radio if isinstance(radio, Document) else get_builtin("hardware", radio),
        "battery": get_builtin("hardware", "phone-battery-3400mah"),
    }
    return make_problem("duet", documents, dict(params or {}), seed=seed)


def instance(**params: Any) -> DuetInstance:
    """A problem made ready."""
    return instance_of(duet_problem(params))


def tiny() -> TinyProblem:
    """A small model of one's own; nothing is sent for a nanojoule."""
    params = {
        "model": "own",
        "own_yaml": SMALL,
        "query_size": 32,
        "history_share": 0.5,
        "delay_ms": 1.0,
        "latency_limit_s": 1.0,
        "aim_datacentre_energy": True,
        "aim_area": True,
        "edge_near_memory": "trim",
    }
    return TinyProblem(duet_problem(params, seed=3), duet_problem({**params, "edge_energy_limit_j": 1e-9}))


def training_problem(params: Mapping[str, Any] | None = None, seed: int = 0) -> Problem[Any]:
    """A generated log."""
    return make_problem("train-recommender", {}, dict(params or {}), seed=seed)


def tiny_training() -> TinyProblem:
    """A few hundred impressions, and splitting that never stops."""
    params = {
        "rows": 400, "bottom_mlp": "4", "top_mlp": "6-1", "embedding_dimension": 4, "epochs": 2, "seeds": 1, "batch_size": 64,
        "most_loss_percent": 100,
    }  # fmt: skip
    return TinyProblem(training_problem(params, seed=2), totals=mean_of_seeds)


def mean_of_seeds(results: tuple[Result, ...]) -> Mapping[str, float]:
    """What the trainings one by one come to."""
    table = next(each for each in results if isinstance(each, Table))
    return {"accuracy_percent": float(np.mean(np.asarray(table.table_columns[1].values, dtype=np.float64)))}
