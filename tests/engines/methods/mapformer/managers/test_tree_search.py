"""The tree by itself."""

from itertools import product

import numpy as np

from engines.methods.mapformer.managers.tree_search import DecisionTree


def searched(times: int, stop: int = 0) -> tuple[DecisionTree, list[list[int]]]:
    """Three decisions with worths that add up; kept and restored after `stop` times."""
    worth = np.random.default_rng(3).random((3, 4))
    tree, found, values = DecisionTree.started(4), list[list[int]](), [0.0, 1.0]
    for number in range(times):
        if number and number == stop:
            tree = DecisionTree.restored(tree.kept())
        ways, path = tree.descended([4, 3, 4], min(values), max(values), np.random.default_rng(number))
        value = float(sum(worth[place, way] for place, way in enumerate(ways)))
        tree.credited(path, value)
        values.append(value)
        found.append(ways)
    best = max(product(range(4), range(3), range(4)), key=lambda each: sum(worth[p, w] for p, w in enumerate(each)))
    return tree, [*found, list(best)]


def test_the_best_is_found_and_looked_at_most() -> None:
    tree, found = searched(150)
    *ways, best = found
    assert best in ways and ways[-40:].count(best) > 10
    assert tree.visits[0] == 150 and all(way[1] < 3 for way in ways)


def test_a_stopped_search_goes_on() -> None:
    assert searched(60)[1] == searched(60, 30)[1]
