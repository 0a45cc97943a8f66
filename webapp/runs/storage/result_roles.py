"""Roles of results from before results had any: pages then took them from the names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PROOFS = ("exactness", "proof")
# Curve of a run's progress -> the measure that it belongs to.
_PROGRESS = {"accuracy": "", "accuracy-over-epochs": "", "exact-share": "hypervolume", "loss": ""}


def with_role(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of a result with the role from its former name; unchanged if it has a role or its name gave none."""
    found, name = dict(content), content.get("name")
    if "role" in found:
        return found
    if content["type"] == "Note" and name in _PROOFS:
        return {**found, "role": "proof"}
    if content["type"] == "Curve" and name in _PROGRESS:
        beside = {"belongs_to": _PROGRESS[name]} if _PROGRESS[name] else {}
        return {**found, "role": "progress", **beside}
    return found
