import numpy as np

from engines.contract.arrays import IntArray
from engines.search.generations import Generations
from engines.search.nsga2 import Rating, best_first, ranks


class Numbers:
    """One gene; children are numbers that no parent has, as long as there are any below 20."""

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        return random.permutation(10)[:count, None]

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        free = np.setdiff1d(np.arange(20), parents.genes[:, 0])
        return random.permutation(free)[:count, None]

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        both = children if parents is None else Rating.joined(parents, children)
        return both.take(best_first(both.costs, ranks(both)))


def rated(genes: IntArray) -> Rating:
    return Rating(genes, genes.astype(float), np.zeros(len(genes)))


def search(budget: int) -> Generations[Rating]:
    return Generations(Numbers(), 4, budget, lambda number: np.random.default_rng([3, number]))


def never() -> bool:
    return False


def told(one: Generations[Rating]) -> list[list[int]]:
    found = []
    for genes in one.asked(never):
        one.tell(rated(genes))
        found.append(genes[:, 0].tolist())
    return found


def test_generations_go_on_until_the_budget_is_used_up() -> None:
    one = search(10)
    assert [len(genes) for genes in told(one)] == [4, 4, 2]
    assert (one.scored, one.generation, one.done, one.exhausted) == (10, 3, True, False)


def test_a_search_that_finds_nothing_new_is_done() -> None:
    one = search(1000)
    assert sorted(number for genes in told(one) for number in genes) == list(range(20))
    assert (one.scored, one.done, one.exhausted) == (20, True, True)
    assert not told(one)


def test_a_stop_between_generations_leaves_the_rest_for_later() -> None:
    one = search(10)
    for genes in one.asked(lambda: one.scored >= 4):
        one.tell(rated(genes))
    assert (one.scored, one.done) == (4, False)


def test_a_generation_that_was_not_told_is_asked_again() -> None:
    one = search(10)
    first = next(one.asked(never))
    assert next(one.asked(never)).tolist() == first.tolist() and one.scored == 0


def test_a_continued_search_is_the_unbroken_one() -> None:
    whole, begun, again = told(search(18)), search(18), search(18)
    for number, genes in enumerate(begun.asked(lambda: begun.generation == 2)):
        parents = begun.tell(rated(genes))
        assert genes[:, 0].tolist() == whole[number]
    again.continue_from(begun.generation, begun.scored, rated(parents.genes))
    assert told(again) == whole[2:]
