"""Cases of one property: some at every change, all of them in the long tests."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(number: int, *, at_every_change: int) -> list[Any]:
    """The first `number` seeds, for `parametrize`."""
    long = range(at_every_change, number)
    return [*range(at_every_change), *(pytest.param(seed, marks=pytest.mark.long) for seed in long)]
