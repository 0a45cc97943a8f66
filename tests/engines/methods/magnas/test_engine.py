"""The architecture search as an engine: its costs beside the mapping engine's, own designs, baselines."""

from __future__ import annotations

import pytest

from engines.contract.designs import Designs
from engines.methods.magnas.search.setup import build_setup
from tests.engines.methods.magnas.problems import search_problem
from tests.engines.methods.magnas.searched_for_tests import designs_of


def test_no_design_is_below_the_bound_and_none_needs_more_than_its_limit() -> None:
    latency, energy = build_setup(search_problem()).table.least()
    designs = designs_of(latency_limit_s=0.02)
    assert designs.columns["latency_s"].min() >= latency and designs.columns["energy_j"].min() >= energy
    kept = designs.columns["limit_slack"] >= 0
    assert (designs.columns["latency_s"][kept] <= 0.02).all() and kept.any()


@pytest.mark.long
def test_searching_clocks_never_makes_the_best_mapping_worse_by_equation_13() -> None:
    settings = {"clock_choices": "gpu: 520 1377; dla: 1050 1395", "kept_mappings": 1}
    fixed, after, joint = (designs_of(clocks=clocks, **settings) for clocks in ("fixed", "after_mapping", "joint"))
    first = {str(decision["architecture"]): product for decision, product in _products(fixed)}
    for better in (after, joint):
        same = [(first[key], value) for key, value in _best(better).items() if key in first]
        assert same and all(value <= known * (1 + 1e-12) for known, value in same)


def _products(designs: Designs) -> list[tuple[dict, float]]:
    found = designs.columns["mapping_product"].tolist()
    rows = zip(designs.decisions, found, designs.origin, strict=True)
    return [(decision, product) for decision, product, origin in rows if origin == "search"]


def _best(designs: Designs) -> dict[str, float]:
    return {str(decision["architecture"]): product for decision, product in _products(designs)}
