"""Mappings of one's own in a line of text each: "as deployed = *: dla; grapher1: gpu", or a unit for every block in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engines.errors import ProblemError
from engines.methods.soc_mapping.instance import Instance
from engines.methods.soc_mapping.rules import allowed_units

IntArray = npt.NDArray[np.int64]

FIELD = "params.own_mappings"
MOST = 20
_SHAPE = 'mappings such as "as deployed = *: dla; grapher1: gpu", parted by | or lines'


def own_mappings(text: str, instance: Instance) -> tuple[tuple[str, ...], IntArray]:
    """Names of the mappings, and the place of the unit of every block, shape `k x n`.

    Raises:
        ProblemError: a mapping cannot be read, leaves a block without a unit or with several, or gives one to a unit that cannot
            run it.
    """
    lines = [line.strip() for line in re.split(r"[|\n]", text) if line.strip()]
    if len(lines) > MOST:
        raise ProblemError(FIELD, len(lines), f"at most {MOST} mappings")
    names, rows = [], np.empty((len(lines), len(instance.blocks)), dtype=np.int64)
    for number, line in enumerate(lines):
        head, equals, body = line.rpartition("=")
        names.append(head.strip() if equals and head.strip() else f"Own mapping {number + 1}")
        rows[number] = _by_rules(body, instance) if ":" in body else _in_order(body, instance)
        _require_able(rows[number], instance)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ProblemError(FIELD, twice, "names that stand once each")
    return tuple(names), rows


def _by_rules(body: str, instance: Instance) -> IntArray:
    try:
        allowed = allowed_units(body, instance.blocks, instance.units)
    except ProblemError as error:
        raise ProblemError(FIELD, error.got, error.accepted) from error
    for block, row in zip(instance.blocks, allowed, strict=True):
        if row.sum() != 1:
            some = " or ".join(unit for unit, may in zip(instance.units, row, strict=True) if may) or "no unit"
            raise ProblemError(
                FIELD, f"{block}: {some}", 'one unit for each block; "*: dla" is for all, later rules count'
            )
    found: IntArray = allowed.argmax(axis=1).astype(np.int64)
    return found


def _in_order(body: str, instance: Instance) -> IntArray:
    words, units = body.replace(",", " ").lower().split(), [unit.lower() for unit in instance.units]
    unknown: Sequence[str] = [word for word in words if word not in units]
    if unknown:
        raise ProblemError(FIELD, unknown[0], f"{_SHAPE}, or units out of: {', '.join(instance.units)}")
    if len(words) != len(instance.blocks):
        first, last = instance.blocks[0], instance.blocks[-1]
        accepted = f"{len(instance.blocks)} units, for the blocks {first} to {last}; or {_SHAPE}"
        raise ProblemError(FIELD, f"{len(words)} units", accepted)
    return np.array([units.index(word) for word in words], dtype=np.int64)


def _require_able(row: IntArray, instance: Instance) -> None:
    for number, unit in enumerate(row.tolist()):
        why = instance.reasons.get((number, instance.units[unit]))
        if why is not None:
            got = f"{instance.blocks[number]}: {instance.units[unit]}"
            raise ProblemError(FIELD, got, f"a unit that can run it: {why}")
