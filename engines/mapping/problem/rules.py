"""Mapping rules and clock lists as one line of text: "stem: gpu; grapher*: not dla", and "gpu: 520 900; memory: 1065"."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import numpy as np

from engines.contract.arrays import BoolArray
from engines.contract.errors import ProblemError
from engines.mapping.problem.blocks import common_name


def allowed_units(text: str, blocks: Sequence[str], units: Sequence[str]) -> BoolArray:
    """Return a mask of the units that each block may use by the rules alone, shape `n x u`.

    Raises:
        ProblemError: a rule is not "blocks: units", or names no block or no unit of the problem.
    """
    allowed = np.ones((len(blocks), len(units)), dtype=bool)
    for pattern, words in _clauses(text, "params.unit_rules", 'rules such as "stem: gpu; grapher*: not dla"'):
        rows = [number for number, block in enumerate(blocks) if _fits(block, pattern)]
        if not rows:
            accepted = f"one of the blocks, with * for any text: {_some(blocks)}"
            raise ProblemError("params.unit_rules", pattern, accepted)
        forbidden = words[0].lower() == "not"
        named = [word.lower() for word in (words[1:] if forbidden else words)]
        lower = [unit.lower() for unit in units]
        unknown = [word for word in named if word not in lower]
        if unknown or not named:
            raise ProblemError("params.unit_rules", " ".join(unknown) or words[0], f"units out of: {', '.join(units)}")
        allowed[rows] = [(unit in named) != forbidden for unit in lower]
    return allowed


def _fits(block: str, pattern: str) -> bool:
    """Return whether a block is meant: by its own name, or by the one that it shares with other parts."""
    return any(fnmatchcase(name.lower(), pattern.lower()) for name in (block, common_name(block)))


def clock_choices(text: str) -> dict[str, list[float]]:
    """Return name of a clock -> MHz.

    Raises:
        ProblemError: a part is not "name: numbers".
    """
    found = {}
    accepted = 'clocks in MHz such as "gpu: 520 900 1377; memory: 1065 2133"'
    for name, words in _clauses(text, "params.clock_choices", accepted):
        try:
            found[name] = sorted({float(word) for word in words})
        except ValueError:
            raise ProblemError("params.clock_choices", " ".join(words), accepted) from None
    return found


def _clauses(text: str, field: str, accepted: str) -> list[tuple[str, list[str]]]:
    """Return ("stem", ["gpu"]) and so on."""
    found = []
    for clause in filter(str.strip, text.replace("\n", ";").split(";")):
        head, colon, tail = clause.partition(":")
        words = tail.replace(",", " ").split()
        if not colon or not head.strip() or not words:
            raise ProblemError(field, clause.strip(), accepted)
        found.append((head.strip(), words))
    return found


def _some(names: Sequence[str], most: int = 40) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
