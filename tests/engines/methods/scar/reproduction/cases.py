from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.rows import Rows
from engines.methods.scar.reproduction.runs import BASELINES, Case, Figures, Outcome
from engines.reproduction.comparisons import Comparison

DEFAULT = {"objective": "edp", "search": "greedy", "n_splits": 4, "packing": "greedy"}


def figures(latency_s: float = 1.0, energy_j: float = 1.0, edp_js: float = 1.0) -> Figures:
    """Figures of a schedule; they need not fit each other."""
    return {"latency_s": latency_s, "energy_j": energy_j, "edp_js": edp_js}


def outcome(package: Figures, least_edp_js: float = 1.0, **baselines: Figures) -> Outcome:
    """An outcome; baselines as simba_nvdla, simba_shi, standalone_nvdla."""
    slugs = ("simba_nvdla", "simba_shi", "standalone_nvdla", "standalone_shi")
    titles = dict(zip(slugs, BASELINES, strict=True))
    return Outcome(package, {titles[slug]: each for slug, each in baselines.items()}, (), least_edp_js)


def rows_of(known: Mapping[tuple[str, str], Outcome] | Iterable[tuple[str, str, dict[str, Any], Outcome]]) -> Rows:
    """Comparisons under the default reading that know these runs (workload, package, changed parameters) and no other."""
    runs = {
        Case(workload, package, tuple(sorted({**DEFAULT, **params}.items()))): found
        for workload, package, params, found in known
    }
    return Rows(base.DEFAULT_READING, runs.__getitem__)


def ours(comparisons: Iterable[Comparison]) -> dict[str, float]:
    """Our value by name."""
    return {each.name: each.ours for each in comparisons}


FOUR = "mlperf-scenario-4"
