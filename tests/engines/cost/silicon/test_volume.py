"""Cost over volume, and where two designs cost the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.cost.silicon.costs import Money
from engines.cost.silicon.volume import break_even, cheaper_words, cheapest_from, over_volumes, volumes


def money(once: float, each: float) -> Money:
    none = np.zeros(1)
    empty = Money(*[none] * 10)
    return replace(empty, design_usd=np.array([once]), dies_usd=np.array([each]))


def test_break_even_by_hand() -> None:
    # 1,000 + 5 n = 100 + 8 n at n = 300
    dear, cheap = money(1000, 5), money(100, 8)
    assert break_even(dear, cheap) == [300] and break_even(cheap, dear) == [300]
    assert dear.per_system_usd(300) == cheap.per_system_usd(300)
    words = cheaper_words("One die", "B", dear, cheap)
    assert words == "B is the cheaper one up to 300 systems, one die beyond."


def test_one_may_always_be_cheaper() -> None:
    assert np.isnan(break_even(money(1000, 8), money(100, 5))[0])
    assert cheaper_words("A", "B", money(1000, 8), money(100, 5)) == "B is the cheaper one at any number of systems."
    assert np.isnan(break_even(money(1, 1), money(1, 1))[0])


def test_curves() -> None:
    systems = volumes(10, 1e3, 2)
    assert systems == pytest.approx([10, 10**1.5, 100, 10**2.5, 1000])
    assert over_volumes(money(1000, 5), systems)[0] == pytest.approx(105)


def test_the_cheapest_of_several_by_hand() -> None:
    # 100 + 8 n, 1,000 + 5 n from 300 on, 5,000 + 4 n from 4,000 on; 3,000 + 5 n and 4,000 + 4.8 n never.
    once, each = [1000, 100, 5000, 3000, 4000], [5, 8, 4, 5, 4.8]
    assert cheapest_from(once, each, 10, 1e6) == [(1, 10), (0, 300), (2, 4000)]
    assert cheapest_from(once, each, 10, 3000) == [(1, 10), (0, 300)]
    assert cheapest_from(once, each, 500, 1e6)[0] == (0, 500)
    assert cheapest_from([], [], 1, 10) == []
