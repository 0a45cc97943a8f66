"""Requirement sets and figures of networks as people type them."""

from __future__ import annotations

from collections.abc import Collection

from engines.contract.errors import ProblemError
from engines.methods.sbrs.ranking import OBJECTIVES, Requirements

_MOST_SETS = 26


def requirement_sets(text: str, field: str = "params.requirements") -> tuple[Requirements, ...]:
    """Return the requirement sets of "r1: 1 0 0 0; r2: 0.25 0.25 0.25 0.25": weights of accuracy, throughput, memory and energy.

    Raises:
        ProblemError: names the part that cannot be read.
    """
    accepted = f'"name: weights" separated by semicolons, each with four weights from 0 on ({", ".join(OBJECTIVES)}) that sum to 1'
    found: dict[str, Requirements] = {}
    for name, words in _parts(text, field, accepted):
        weights = tuple(_number(word, field, accepted) for word in words.replace(",", " ").split())
        if len(weights) != len(OBJECTIVES) or name in found:
            raise ProblemError(field, f"{name}: {words}", f"different names and {accepted}")
        try:
            found[name] = Requirements(name, (weights[0], weights[1], weights[2], weights[3]))
        except ValueError as error:
            raise ProblemError(field, f"{name}: {words}", accepted) from error
    if not 1 <= len(found) <= _MOST_SETS:
        raise ProblemError(field, text, f"1 to {_MOST_SETS} sets of {accepted}")
    return tuple(found.values())


def figures_of_networks(text: str, names: Collection[str], field: str, unit: str, most: float) -> dict[str, float]:
    """Return the figures of "resnet18: 69.8; mobilenet-v2: 71.9"; empty for none.

    Raises:
        ProblemError: names the part that cannot be read, or a network that is not in the workload.
    """
    accepted = (
        f'"network: value in {unit}" separated by semicolons, each above 0 and at most {most:g}, '
        f"with the networks {', '.join(names)}"
    )
    found: dict[str, float] = {}
    for name, word in _parts(text, field, accepted):
        value = _number(word, field, accepted)
        if name not in names or name in found or not 0 < value <= most:
            raise ProblemError(field, f"{name}: {word}", accepted)
        found[name] = value
    return found


def _parts(text: str, field: str, accepted: str) -> list[tuple[str, str]]:
    found = []
    for part in text.replace("\n", ";").split(";"):
        if not part.strip():
            continue
        name, colon, words = part.partition(":")
        if not colon or not name.strip() or not words.strip():
            raise ProblemError(field, part.strip(), accepted)
        found.append((name.strip(), words.strip()))
    return found


def _number(word: str, field: str, accepted: str) -> float:
    try:
        value = float(word)
    except ValueError as error:
        raise ProblemError(field, word, accepted) from error
    if value != value or abs(value) == float("inf"):
        raise ProblemError(field, word, accepted)
    return value
