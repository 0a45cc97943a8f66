"""JSON as people hand it over in files: plain JSON, so that 1e-05 is a number and nothing else is read out of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def is_json(name: str) -> bool:
    """Whether a file of that name holds JSON."""
    return name.lower().endswith(".json")


def read_json(text: str) -> Any:
    """Return what the text says.

    Raises:
        ValueError: it is not JSON, nests too deep, or a key stands twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("it nests too deep") from error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):  # the last one would count in silence
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(f"the key {twice!r} stands twice")
    return found
