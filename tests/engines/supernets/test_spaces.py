from __future__ import annotations

from engines.supernets.spaces import vig_s_space


def test_the_published_space_has_the_published_size() -> None:
    space = vig_s_space(10)
    assert space.printed_size == 144**4 and space.size == 96**4
    assert len(space.choices(0)) == 96
    assert space.sides == (14, 14, 14, 14) and space.neighbours == (12, 16, 20, 24)
