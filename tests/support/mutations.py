"""Documents with something wrong at a random place, as careless hands and hostile clients write them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

_ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 3.5, "x", "", [], {}, [1], {"a": 1}, 10**30, "nan", float("inf"), {1: 2}, "N S N", [None]
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    """A copy of `document` with one to three keys taken out or replaced by something odd."""
    content = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(list(_places(content))))
        container, key = place
        if draw(st.booleans()):
            container[key] = copy.deepcopy(draw(st.sampled_from(_ODD_VALUES)))
        else:
            del container[key]
        if not content:
            break
    return content


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    for key, inner in items:
        yield value, key
        yield from _places(inner)
