import numpy as np
import pytest

from engines.methods.sbrs.search.genotype import SMALL, Cluster, Genotype, published_spaces
from engines.workloads.loader import load_network

GENOTYPE = Genotype(SMALL, (1, 8, 8), 10)


def test_the_published_spaces_are_there() -> None:
    spaces = published_spaces()
    assert set(spaces) == {"voc", "cifar10", "pamap2"}
    assert spaces["voc"][2] == Cluster("conv_res", (1, 5), (16, 96), (3, 7))  # Table 3, C3
    assert spaces["cifar10"][-1] == Cluster("fc", (1, 3), (256, 1024))  # Table 4, C10
    assert [cluster.kind for cluster in spaces["pamap2"]] == ["conv", "max_pool", "conv", "global_max_pool", "fc"]


@pytest.mark.parametrize(("space", "shape"), [("voc", (3, 64, 64)), ("cifar10", (3, 32, 32)), ("pamap2", (40, 100, 1))])
def test_networks_of_the_published_spaces_are_documents(space: str, shape: tuple[int, int, int]) -> None:
    genotype = Genotype(published_spaces()[space], shape, 10)
    graph = genotype.graph(genotype.draw(np.random.default_rng(0)), "n")
    network = load_network(graph.document())
    weights = sum(operation.weight_elements for operation in network.operations)
    assert weights == graph.parameter_elements
    assert graph.cnn().memory_bytes(4) > 4 * weights


def test_drawn_mutated_and_crossed_networks_stay_in_the_space() -> None:
    random = np.random.default_rng(1)
    first, second = GENOTYPE.draw(random), GENOTYPE.draw(random)
    for _ in range(60):
        first = GENOTYPE.mutate(first, 0.12, random)
        first, second, place = GENOTYPE.cross(first, second, random)
        assert place in GENOTYPE.layered
        assert GENOTYPE.check(first) == first and GENOTYPE.check(second) == second


def test_a_mutation_is_small() -> None:
    random = np.random.default_rng(2)
    genome = GENOTYPE.draw(random)
    for _ in range(50):
        changed = GENOTYPE.mutate(genome, 0.12, random)
        pairs = [
            (a, b)
            for one, other in zip(genome, changed, strict=True)
            for a, b in zip(one, other, strict=True)
            if a != b
        ]
        assert len(pairs) <= 1
        for (neurons, kernel), (others, another) in pairs:
            assert abs(neurons - others) <= max(1, round(0.12 * neurons)) and abs(kernel - another) in (0, 2)


def test_a_crossover_exchanges_one_cluster() -> None:
    random = np.random.default_rng(3)
    first, second = GENOTYPE.draw(random), GENOTYPE.draw(random)
    one, other, place = GENOTYPE.cross(first, second, random)
    assert (one[place], other[place]) == (second[place], first[place])
    assert one[:place] == first[:place] and one[place + 1 :] == first[place + 1 :]


@pytest.mark.parametrize("genome", [None, [], [[[8, 3]]] * 7, [[[8, "a"]], [], [], [], [], [], []]])
def test_it_refuses_what_is_no_network_of_the_space(genome: object) -> None:
    with pytest.raises(ValueError, match="cluster"):
        GENOTYPE.check(genome)


def test_a_residual_is_repaired_where_channels_differ() -> None:
    same = Genotype(
        (Cluster("conv", (1, 1), (8, 8), (3, 3)), Cluster("conv_res", (2, 2), (8, 8), (3, 3))), (1, 8, 8), 10
    )
    other = Genotype(
        (Cluster("conv", (1, 1), (4, 4), (3, 3)), Cluster("conv_res", (2, 2), (8, 8), (3, 3))), (1, 8, 8), 10
    )
    random = np.random.default_rng(0)
    names = [[node.name for node in genotype.graph(genotype.draw(random), "n").nodes] for genotype in (same, other)]
    assert "c2.skip" not in names[0] and "c2.skip" in names[1]
    assert "c2.add" in names[0]
