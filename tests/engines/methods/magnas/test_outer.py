"""The outer search: encoding, ranking, children; and the space it works on."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import DecisionError, ProblemError
from engines.mapping.solver.unit_mapping import MappingScores
from engines.methods.magnas.inner import Mapped
from engines.methods.magnas.outer import ArchitectureOperators, Genome, Ranking, Scored, kept_rows, standing
from engines.methods.magnas.space import space_from_json, space_to_json
from engines.methods.magnas.spaces import pyramid_vig_space, small_space, vig_s_space
from engines.methods.magnas.surrogate import published_accuracy
from engines.methods.magnas.workload import network_rows
from engines.workloads.vision_graph import Superblock, superblock_operations

PARETO = Ranking("pareto", 1.0, 1.0, 1.0)
PRODUCT = Ranking("product", 1.0, 1.0, 1.0)


def mapped(*points: tuple[float, float], allowed: bool = True) -> Mapped:
    latency, energy = np.array(points).T
    count = len(points)
    scores = MappingScores(latency, energy, np.zeros(count, np.int64))
    return Mapped(np.zeros((count, 1), np.int64), np.zeros(count, np.int64), scores, latency * energy, allowed)


def test_the_published_space_has_the_published_size() -> None:
    space = vig_s_space(10)
    assert space.printed_size == 144**4 and space.size == 96**4
    assert len(space.choices(0)) == 96
    assert space.sides == (14, 14, 14, 14) and space.neighbours == (12, 16, 20, 24)


def test_a_subnet_of_the_published_space_is_the_catalogues_network() -> None:
    space = vig_s_space(100)
    for seed in range(5):
        architecture = space.random(np.random.default_rng(seed))
        superblocks = [
            Superblock(each.operator, each.depth, each.preprocessed, each.hidden if each.feed_forward else None)
            for each in architecture
        ]
        assert network_rows(space, architecture) == superblock_operations(superblocks, classes=100)


@pytest.mark.parametrize("space", [vig_s_space(10), pyramid_vig_space(10), small_space(1, 8, 10, 16, "pyramid")])
def test_spaces_and_architectures_come_back_from_json(space) -> None:
    assert space_from_json(space_to_json(space)) == space
    architecture = space.random(np.random.default_rng(1))
    assert space.decode(space.encode(architecture)) == architecture
    genome = Genome(space)
    assert genome.decode(genome.encode(architecture)) == architecture


def test_what_is_no_architecture_of_the_space_is_refused() -> None:
    space = vig_s_space(10)
    good = space.encode(space.largest("gin"))
    for change in ({"depth": 5}, {"operator": "gat"}, {"hidden": 97}, {"preprocessed": 1}, {"depth": True}):
        with pytest.raises(DecisionError):
            space.decode([{**good[0], **change}, *good[1:]])
    with pytest.raises(DecisionError, match="4 superblocks"):
        space.decode(good[:3])
    with pytest.raises(ProblemError):
        space_from_json({**space_to_json(space), "neighbours": [500, 1, 1, 1]})


def test_without_feed_forward_parts_their_width_changes_nothing() -> None:
    space = vig_s_space(10)
    given = space.encode(space.smallest("gin"))
    assert space.decode([{**each, "hidden": 320} for each in given]) == space.smallest("gin")


def test_codes_tell_architectures_apart() -> None:
    genome = Genome(vig_s_space(10))
    genes = genome.random(np.random.default_rng(0), 500)
    assert len(np.unique(genome.codes(genes))) == len(np.unique(genes, axis=0))
    corner = genome.codes(np.array([[0, 0, 0, 0], (genome.counts - 1).tolist()]))
    assert corner.tolist() == [0, 96**4 - 1]


def test_an_architecture_ranks_by_the_best_of_its_mappings() -> None:
    scored = Scored(
        np.zeros((4, 4), np.int64),
        np.array([90.0, 90.0, 95.0, 99.0]),
        (mapped((5, 5), (1, 9)), mapped((4, 6), (2, 10)), mapped((9, 9)), mapped((1, 1), allowed=False)),
    )
    rank, _ = standing(scored, PARETO)
    assert rank[:3].tolist() == [0, 0, 0]  # (5, 5), (4, 6) and the more accurate one
    assert rank[3] > 0  # none of its mappings keeps the limits
    assert kept_rows(scored, 4, PARETO)[-1] == 3


def test_the_weighted_product_ranks_by_error_energy_and_latency() -> None:
    scored = Scored(
        np.zeros((3, 4), np.int64), np.array([90.0, 80.0, 95.0]), (mapped((1, 1)), mapped((1, 1)), mapped((3, 1)))
    )
    assert kept_rows(scored, 3, PRODUCT).tolist() == [0, 2, 1]  # 10, 5 x 3, 20
    slow_is_fine = Ranking("product", 1.0, 1.0, 0.0)
    assert kept_rows(scored, 3, slow_is_fine).tolist() == [2, 0, 1]


def test_children_are_new_and_made_of_their_parents_superblocks() -> None:
    genome = Genome(vig_s_space(10))
    genes = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    parents = Scored(genes, np.array([90.0, 91.0]), (mapped((1, 1)), mapped((2, 2))))
    operators = ArchitectureOperators(genome, PARETO, 0.0, 0.5, kept=2)
    operators.seen = set(genome.codes(genes).tolist())
    made = operators.children(parents, np.random.default_rng(0), 8)
    assert len(operators.seen | set(genome.codes(made).tolist())) == 2 + len(made)
    assert sum(set(row) <= set(genes.ravel().tolist()) for row in made[:8].tolist()) >= 6
    assert operators.children(parents, np.random.default_rng(0), 8).tolist() == made.tolist(), "nothing was told yet"


def test_the_surrogate_gives_published_networks_their_accuracy() -> None:
    space = vig_s_space(100)
    accuracy = published_accuracy("cifar-100")
    for operator, percent in (("max-relative", 82.13), ("edge", 82.13), ("gin", 81.49), ("sage", 82.10)):
        assert accuracy.percent(space.largest(operator)) == pytest.approx(percent)
    # G-G-G-G, half of the superblocks with feed-forward parts and half with pre-processing: a2 of CIFAR-100.
    largest, smallest = space.largest("gin"), space.smallest("gin")
    assert accuracy.percent((largest[0], largest[1], smallest[2], smallest[3])) == pytest.approx(81.63)
    # Nothing of either: the nearest is still a2, two superblocks fewer with feed-forward parts.
    assert accuracy.percent(smallest) == pytest.approx(81.63 - 2 * 0.05)


def test_where_nothing_keeps_the_limits_the_nearest_have_children_all_the_same() -> None:
    genome = Genome(vig_s_space(10))
    genes = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    broken = (mapped((1, 1), allowed=False), mapped((2, 2), allowed=False))
    for ranking in (PARETO, PRODUCT):
        parents = Scored(genes, np.array([90.0, 91.0]), broken)
        operators = ArchitectureOperators(genome, ranking, 0.4, 0.5, kept=2)
        assert len(operators.children(parents, np.random.default_rng(0), 4)) == 4
