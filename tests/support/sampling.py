"""Cases of one property: some at every change, all of them in the long tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest


def seeds(number: int, *, at_every_change: int) -> list[Any]:
    """The first `number` seeds, for `parametrize`."""
    long = range(at_every_change, number)
    return [*range(at_every_change), *(pytest.param(seed, marks=pytest.mark.long) for seed in long)]


def covering_names(documents: Mapping[str, Any]) -> list[str]:
    """Return the names of a few documents that together have each field in each form that it takes in any of them."""
    forms = {name: set(_forms(content)) for name, content in documents.items()}
    left: set[Any] = set().union(*forms.values())
    chosen: list[str] = []
    while left:
        chosen.append(max(forms, key=lambda name: len(forms[name] & left)))
        left -= forms[chosen[-1]]
    return chosen


def covering(documents: Mapping[str, Any]) -> list[Any]:
    """The names of documents, for `parametrize`: `covering_names` at every change, the others in the long tests."""
    chosen = covering_names(documents)
    return [name if name in chosen else pytest.param(name, marks=pytest.mark.long) for name in documents]


def _forms(value: Any, field: str = "") -> Iterator[tuple[str, str, int]]:
    """Yield each field below a value with its type, and whether it is empty, zero, or a list of several."""
    if isinstance(value, Mapping):
        for name, below in value.items():
            yield from _forms(below, name)
    elif isinstance(value, list | tuple):
        yield field, "list", min(len(value), 2)
        for below in value:
            yield from _forms(below, field)
    else:
        yield field, type(value).__name__, bool(value)
