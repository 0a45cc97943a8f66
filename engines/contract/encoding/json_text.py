"""Reader of JSON files: plain JSON and not YAML, so that 1e-05 is a number."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any


def is_json(name: str) -> bool:
    """Return whether the file name ends in a suffix of JSON files."""
    return name.lower().endswith(".json")


def read_json(text: str, leave_out: Collection[str] = ()) -> Any:
    """Return the value of a JSON text.

    Args:
        text: the text.
        leave_out: keys that are left out with their values, wherever they stand.

    Raises:
        ValueError: the text is not JSON, nests too deep, or repeats a key.
    """
    try:
        return json.loads(text, object_pairs_hook=partial(_once, leave_out))
    except RecursionError as error:
        raise ValueError("it nests too deep") from error


def _once(leave_out: Collection[str], pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:  # the last one would count in silence
            raise ValueError(f"the key {key!r} appears twice")
        content[key] = value
    return {key: value for key, value in content.items() if key not in leave_out} if leave_out else content
