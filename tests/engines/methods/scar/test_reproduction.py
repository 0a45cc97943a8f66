"""Published values beside computed ones: what an independent check of this cost model found must come out again."""

from __future__ import annotations

import pytest

from engines.methods.scar import reproduction
from engines.reproductions import Comparison, comparisons_of


@pytest.fixture(scope="module")
def quick() -> dict[str, Comparison]:
    return {row.name: row for row in comparisons_of("scar", quick=True)}


def test_published_values_stand_beside_computed_ones(quick: dict[str, Comparison]) -> None:
    assert [row.published for row in quick.values()] == [2.3, 2.6, 9.25]
    assert all(row.kind == "predicted" and row.where and row.anchor == "odema-2024" for row in quick.values())
    assert all(row.ratio == row.ours / row.published for row in quick.values())


def test_het_sides_beats_simba_shi_diannao_but_not_simba_nvdla(quick: dict[str, Comparison]) -> None:
    shi = quick["Scenario 4, EDP: Simba Shi-diannao over Het-Sides"]
    nvdla = quick["Scenario 4, EDP: Simba NVDLA over Het-Sides"]
    assert shi.ours > 1 and shi.ordering
    assert nvdla.ours < 1 and nvdla.ordering is False and nvdla.why


def test_both_publications_are_complete_and_never_mixed() -> None:
    article = reproduction._published()[reproduction.ARTICLE]
    assert len(article["layouts"]) == 6
    assert all(len(row["edp_js"]) == len(row["latency_s"]) == len(article["scenarios"]) for row in article["layouts"])
