"""Small packages, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.engine import Document, Problem
from engines.contract.results import Breakdown, Result, Table
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

FEW = {
    "topologies": "crossbar, mesh", "chain_lengths": "1, 2, 4", "serdes_ratios": "1, 6", "channel_widths": "64, 128",
    "granularities": "1, 2", "reuse": "for-sale", "orders": 2,
    "simulate_network": False,
}  # fmt: skip


def neksus_problem(
    params: Mapping[str, Any] | None = None,
    system: Document | None = None,
    costs: Document | None = None,
    seed: int = 0,
) -> Problem:
    """The blocks of a phone with few choices."""
    documents = {
        "hardware": system or get_builtin("hardware", "neksus-phone"),
        "costs": costs or get_builtin("hardware", "neksus-28nm"),
    }
    return make_problem("neksus", documents, {**FEW, **(params or {})}, seed=seed)


def totals(results: tuple[Result, ...]) -> Mapping[str, float]:
    """What a system costs by its parts, at the million systems of the default."""
    parts = {result.name: result for result in results if isinstance(result, Breakdown)}
    tables = {result.name: result for result in results if isinstance(result, Table)}
    once, each = (float(parts[name].values[0].sum()) for name in ("once", "each"))
    loads = np.asarray(tables["channels"].table_columns[1].values)
    return {
        "once_usd": once, "each_usd": each, "cost_usd": once / 1e6 + each, "busiest_channel_fraction": float(loads.max()),
    }  # fmt: skip


def tiny() -> TinyProblem:
    """All of few packages for two applications at once; none ends in a nanosecond."""
    params = {"applications": "youtube, photo-capture", "minimise_latency": True, "minimise_micro_bumps": True}
    return TinyProblem(neksus_problem(params, seed=3), neksus_problem({**params, "latency_limit_s": 1e-9}), totals)
