"""Mappings of one's own in a line of text each: "as deployed = *: dla; grapher1: gpu", "gpu 1-12, dla 13-34" or "gpu*12 dla*22".

The first takes blocks by name, as rules for units of blocks do; the second by their number from 1 on; the third in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.mapping.problem.instance import Instance
from engines.mapping.problem.rules import allowed_units

FIELD = "params.own_mappings"
MOST = 20
_SHAPE = 'mappings such as "as deployed = *: dla; grapher1: gpu" or "gpu 1-12, dla 13-34", separated by | or lines'
_NUMBERS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_TIMES = re.compile(r"(.+)\*([0-9]{1,9})")


def own_mappings(text: str, instance: Instance) -> tuple[tuple[str, ...], IntArray]:
    """Return the names of the mappings, and the place of the unit of every block, shape `k x n`.

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
        names.append(head.strip() if equals and head.strip() else _name(number, len(lines)))
        rows[number] = _units_of(body, instance)
        _require_able(rows[number], instance)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ProblemError(FIELD, twice, "distinct names")
    return tuple(names), rows


def with_another(text: str, units: Sequence[str], name: str = "by hand") -> str:
    """Return the text with one more mapping: the unit of every block, in order.

    Its name is told apart from those that are there.
    """
    lines = [line.strip() for line in re.split(r"[|\n]", text) if line.strip()]
    known = {line.rpartition("=")[0].strip() for line in lines}
    names = (name if number == 1 else f"{name} {number}" for number in range(1, len(lines) + 2))
    free = next(each for each in names if each not in known)
    runs = " ".join(f"{unit}*{len(list(blocks))}" for unit, blocks in groupby(units))
    return " | ".join([*lines, f"{free} = {runs}"])


def _name(number: int, count: int) -> str:
    return "Own mapping" if count == 1 else f"Own mapping {number + 1}"


def _units_of(body: str, instance: Instance) -> IntArray:
    if ":" in body:
        return _by_rules(body, instance)
    words = re.sub(r"\s*([-*])\s*", r"\1", body.replace(",", " ").replace(";", " ").lower()).split()
    numbered = any(_NUMBERS.fullmatch(word) for word in words)
    return _by_number(words, instance) if numbered else _in_order(words, instance)


def _by_rules(body: str, instance: Instance) -> IntArray:
    try:
        allowed = allowed_units(body, instance.blocks, instance.units)
    except ProblemError as error:
        raise ProblemError.of(error, FIELD) from error
    for block, row in zip(instance.blocks, allowed, strict=True):
        if row.sum() != 1:
            some = " or ".join(unit for unit, may in zip(instance.units, row, strict=True) if may) or "no unit"
            reason = 'The rule "*: dla" applies to all blocks, and later rules override earlier ones.'
            raise ProblemError(FIELD, f"{block}: {some}", "one unit for each block", reason=reason)
    found: IntArray = allowed.argmax(axis=1).astype(np.int64)
    return found


def _by_number(words: Sequence[str], instance: Instance) -> IntArray:
    """Read ranges such as "gpu 1-12", "dla 13-34"."""
    count, found = len(instance.blocks), np.full(len(instance.blocks), -1, dtype=np.int64)
    unit: int | None = None
    for word in words:
        numbers = _NUMBERS.fullmatch(word)
        if numbers is None:
            unit = _place(word, instance)
            continue
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if unit is None:
            raise ProblemError(FIELD, word, 'a unit before the numbers of its blocks, as in "gpu 1-12, dla 13-34"')
        if not 1 <= first <= last <= count:
            raise ProblemError(
                FIELD, word, f"numbers of blocks from 1 ({instance.blocks[0]}) to {count} ({instance.blocks[-1]})"
            )
        taken = np.flatnonzero(found[first - 1 : last] >= 0)
        if len(taken):
            place = first - 1 + int(taken[0])
            got = f"{_block(place, instance)}: {instance.units[found[place]]} and {instance.units[unit]}"
            raise ProblemError(FIELD, got, "one unit for each block")
        found[first - 1 : last] = unit
    left = np.flatnonzero(found < 0)
    if len(left):
        raise ProblemError(FIELD, f"{_block(int(left[0]), instance)}: no unit", f"one unit for each of {count} blocks")
    return found


def _in_order(words: Sequence[str], instance: Instance) -> IntArray:
    """Read units in order such as "gpu dla dla", or "gpu*1 dla*2"."""
    places, count = [], len(instance.blocks)
    for word in words:
        times = _TIMES.fullmatch(word)
        unit, number = _place(times[1] if times else word, instance), int(times[2]) if times else 1
        places += [unit] * min(number, count + 1)
    if len(places) != count:
        got = f"{len(places)} units" if len(places) <= count else f"more than {count} units"
        accepted = f"{count} units, for the blocks {instance.blocks[0]} to {instance.blocks[-1]}, or {_SHAPE}"
        raise ProblemError(FIELD, got, accepted)
    return np.array(places, dtype=np.int64)


def _place(word: str, instance: Instance) -> int:
    units = [unit.lower() for unit in instance.units]
    if word not in units:
        raise ProblemError(FIELD, word, f"{_SHAPE}, or units out of: {', '.join(instance.units)}")
    return units.index(word)


def _block(place: int, instance: Instance) -> str:
    return f"block {place + 1} ({instance.blocks[place]})"


def _require_able(row: IntArray, instance: Instance) -> None:
    for number, unit in enumerate(row.tolist()):
        why = instance.reasons.get((number, instance.units[unit]))
        if why is not None:
            got = f"{_block(number, instance)}: {instance.units[unit]}"
            raise ProblemError(FIELD, got, "a unit that can run it", reason=f"It cannot run there: {why}.")
