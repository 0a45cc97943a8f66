"""The outer search: encoding, ranking, children; and the space it works on."""

from __future__ import annotations

import numpy as np

from engines.mapping.solver.unit_mapping import MappingScores
from engines.methods.magnas.search.inner_search import MappingChoices
from engines.methods.magnas.search.outer_search import (
    ArchitectureOperators,
    ArchitectureScores,
    Ranking,
    kept_rows,
    standing,
)
from engines.supernets.genome import Genome
from engines.supernets.spaces import vig_s_space

PARETO = Ranking("pareto", 1.0, 1.0, 1.0)
PRODUCT = Ranking("product", 1.0, 1.0, 1.0)


def mapped(*points: tuple[float, float], allowed: bool = True) -> MappingChoices:
    latency, energy = np.array(points).T
    count = len(points)
    scores = MappingScores(latency, energy, np.zeros(count, np.int64))
    return MappingChoices(np.zeros((count, 1), np.int64), np.zeros(count, np.int64), scores, latency * energy, allowed)


def test_an_architecture_ranks_by_the_best_of_its_mappings() -> None:
    scored = ArchitectureScores(
        np.zeros((4, 4), np.int64),
        np.array([90.0, 90.0, 95.0, 99.0]),
        (mapped((5, 5), (1, 9)), mapped((4, 6), (2, 10)), mapped((9, 9)), mapped((1, 1), allowed=False)),
    )
    rank, _ = standing(scored, PARETO)
    assert rank[:3].tolist() == [0, 0, 0]  # (5, 5), (4, 6) and the more accurate one
    assert rank[3] > 0  # none of its mappings keeps the limits
    assert kept_rows(scored, 4, PARETO)[-1] == 3


def test_the_weighted_product_ranks_by_error_energy_and_latency() -> None:
    scored = ArchitectureScores(
        np.zeros((3, 4), np.int64), np.array([90.0, 80.0, 95.0]), (mapped((1, 1)), mapped((1, 1)), mapped((3, 1)))
    )
    assert kept_rows(scored, 3, PRODUCT).tolist() == [0, 2, 1]  # 10, 5 x 3, 20
    slow_is_fine = Ranking("product", 1.0, 1.0, 0.0)
    assert kept_rows(scored, 3, slow_is_fine).tolist() == [2, 0, 1]


def test_children_are_new_and_made_of_their_parents_superblocks() -> None:
    genome = Genome(vig_s_space(10))
    genes = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    parents = ArchitectureScores(genes, np.array([90.0, 91.0]), (mapped((1, 1)), mapped((2, 2))))
    operators = ArchitectureOperators(genome, PARETO, 0.0, 0.5, kept=2)
    operators.seen = set(genome.codes(genes).tolist())
    made = operators.children(parents, np.random.default_rng(0), 8)
    assert len(operators.seen | set(genome.codes(made).tolist())) == 2 + len(made)
    assert sum(set(row) <= set(genes.ravel().tolist()) for row in made[:8].tolist()) >= 6
    assert operators.children(parents, np.random.default_rng(0), 8).tolist() == made.tolist(), "nothing was told yet"


def test_where_nothing_keeps_the_limits_the_nearest_have_children_all_the_same() -> None:
    genome = Genome(vig_s_space(10))
    genes = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    broken = (mapped((1, 1), allowed=False), mapped((2, 2), allowed=False))
    for ranking in (PARETO, PRODUCT):
        parents = ArchitectureScores(genes, np.array([90.0, 91.0]), broken)
        operators = ArchitectureOperators(genome, ranking, 0.4, 0.5, kept=2)
        assert len(operators.children(parents, np.random.default_rng(0), 4)) == 4
