"""The front under rules against every choice, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engines.contract.fronts.non_dominated import non_dominated_costs
from engines.methods.hadas import exit_rule_search
from engines.methods.hadas.exit_rule_search import THRESHOLDS, ruled_front, sets_of_exits
from engines.search.ends.confidence import RULES, leaves_at
from engines.search.ends.exit_rules import RuledEnds
from tests.engines.search.ends.test_paths import drawn


def measured(seed: int, ends: int, images: int = 60) -> RuledEnds:
    random = np.random.default_rng(seed)
    right = random.random((images, ends)) < np.linspace(0.5, 0.9, ends)
    # Exits that are right are more often sure, so that rules are worth something.
    sure = {rule: random.random((images, ends - 1)) ** np.where(right[:, :-1], 0.3, 1.5) for rule in RULES}
    return RuledEnds(right, sure)


@pytest.mark.parametrize("seed", range(3))
def test_the_front_is_that_of_every_set_rule_threshold_and_setting(seed: int) -> None:
    ends, (_, costs) = measured(seed, 5), drawn(seed, 5, 7)
    every = []
    images = np.arange(len(ends.right))
    for bits, rule, threshold, setting in product(product((0, 1), repeat=4), RULES, THRESHOLDS, range(7)):
        row = np.array([*bits, 1], bool)
        at = leaves_at(np.column_stack([ends.sure[rule], np.zeros(len(images))]), row, threshold)
        reached = [each.prefixes(row[None], [setting])[0] for each in costs]
        every.append([1 - ends.right[images, at].mean(), reached[0][at].mean(), reached[1][at].mean()])
    points = np.unique(np.array(every).round(12), axis=0)
    best = points[non_dominated_costs(points)]
    found = ruled_front(ends, costs)
    assert found.whole
    own = np.unique(found.points.round(12), axis=0)
    assert own == pytest.approx(best[np.lexsort(best.T[::-1])])
    # One set without exits has one rule at one threshold.
    assert found.looked_at == 7 * (1 + 15 * len(RULES) * len(THRESHOLDS))


def test_of_many_sets_the_smallest_are_looked_at_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exit_rule_search, "MOST_SETS", 4)
    assert [row[:-1].sum() for row in sets_of_exits(5)] == [0, 1, 1, 1]
    _, costs = drawn(0, 5, 3)
    assert not ruled_front(measured(0, 5), costs).whole
