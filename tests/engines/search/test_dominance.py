from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engines.search.dominance import non_dominated_by_group, thin_dominated_by_group

ENTRIES = st.lists(st.tuples(*(st.integers(0, high) for high in (2, 4, 4, 4))), max_size=30)


def columns(entries: list[tuple[int, ...]]) -> tuple[np.ndarray, ...]:
    return tuple(np.array([float(entry[i]) for entry in entries]) for i in range(4))


@given(ENTRIES)
def test_non_dominated_by_group_equals_the_definition(entries: list[tuple[int, ...]]) -> None:
    group, latency, energy, _ = columns(entries)
    pairs = [entry[:3] for entry in entries]
    kept = non_dominated_by_group(group.astype(np.int64), latency, energy)
    expected = {e for e in pairs if not any(o != e and o[0] == e[0] and o[1] <= e[1] and o[2] <= e[2] for o in pairs)}
    assert sorted(pairs[i] for i in kept) == sorted(expected)


@given(ENTRIES)
def test_thinning_by_three_criteria_keeps_the_front(entries: list[tuple[int, ...]]) -> None:
    group, *criteria = columns(entries)
    kept = [entries[i] for i in thin_dominated_by_group(group.astype(np.int64), *criteria)]
    front = {
        e for e in entries
        if not any(o != e and o[0] == e[0] and all(a <= b for a, b in zip(o[1:], e[1:], strict=True)) for o in entries)
    }  # fmt: skip
    assert front <= set(kept) <= set(entries)


def test_thinning_drops_what_a_neighbour_beats() -> None:
    group, one = np.zeros(4, np.int64), np.array([1.0, 1.0, 2.0, 0.5])
    assert thin_dominated_by_group(group, one, one, one).tolist() == [3]
