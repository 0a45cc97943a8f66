"""Differences of the problems of several runs: engine, inputs, estimator, parameters, seed, evaluations.

Some of it decides whether values can be set against each other at all: a run of another workload or model computes something else,
and another estimator is another measuring rod. Between such runs no value is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import EngineError
from engines.contract.integer_format import counted
from engines.registry import get_engine
from webapp.comparisons.certainty import estimator_of
from webapp.runs.models import Run

MISSING = "–"
_NONE, _OF_WORKLOAD = "none", "of its workload"
_HASH_CHARACTERS = 8
# Kinds of documents that say what is computed. An environment only fills the traces, and what was measured is laid over them.
_COMPUTED_KINDS = frozenset({"workload", "data", "weights"})
_LAID_OVER = "measured"
_MODEL, _ESTIMATOR = "model", "estimator"


@dataclass(frozen=True)
class Difference:
    """A property that differs between runs: its name and one value per run, as text.

    Attributes:
        decides: whether runs that differ in it cannot be set against each other: workload, model, estimator.
    """

    name: str
    values: tuple[str, ...]
    decides: bool = False

    @property
    def telling(self) -> bool:
        """Whether all runs have the property or it is a decision; parameters of a single engine do not count."""
        return self.decides or MISSING not in self.values


def differing(runs: Sequence[Run]) -> list[Difference]:
    """Return everything that differs, inputs first; empty where the runs repeat each other."""
    described = _told_apart([_described(run) for run in runs], [_contents(run) for run in runs])
    names = dict.fromkeys(name for facts in described for name in facts)
    deciding = _deciding(runs) | {_MODEL, _ESTIMATOR}
    rows = [Difference(name, _values(name, described, name in deciding), name in deciding) for name in names]
    return [row for row in rows if len(set(row.values)) > 1]


def _values(name: str, described: Sequence[Mapping[str, str]], decides: bool) -> tuple[str, ...]:
    absent = _OF_WORKLOAD if name == _MODEL else _NONE if decides else MISSING
    return tuple(facts.get(name, absent) for facts in described)


def unlike(rows: Sequence[Difference]) -> list[Difference]:
    """Return the rows of `differing` whose values make runs incomparable."""
    return [row for row in rows if row.decides]


def _deciding(runs: Sequence[Run]) -> set[str]:
    """Return the slots whose documents say what is computed and of which not all runs have the same content."""
    contents = [_contents(run) for run in runs]
    kinds: dict[str, str] = {}
    for run in runs:
        kinds |= {item.slot: item.kind for item in run.listed_inputs}
    found = set()
    for slot, kind in kinds.items():
        hashes = {held[slot] for held in contents if slot in held}
        without = [run for run, held in zip(runs, contents, strict=True) if slot not in held]
        lacking = any(not _has_default(run, slot) for run in without)
        computed = kind in _COMPUTED_KINDS and slot != _LAID_OVER
        if (computed and (len(hashes) > 1 or lacking)) or (kind == "calibration" and len(hashes) > 1):
            found.add(slot)
    return found


def _has_default(run: Run, slot: str) -> bool:
    """Return whether the engine takes something of its own for that slot where it is empty, which its model then names."""
    try:
        return slot in get_engine(run.engine).inputs
    except EngineError:
        return False


def _described(run: Run) -> dict[str, str]:
    facts = {"engine": f"{run.engine} v{run.engine_version}"}
    for item in run.listed_inputs:
        facts[item.slot] = f"{item.slug} v{item.version}"
    facts |= _computed(run)
    facts |= {f"{name}": _words(value) for name, value in sorted(_flat(run.params).items())}
    facts["seed"] = str(run.seed)
    facts["evaluations"] = _words(run.evaluations)
    if run.status != Run.Status.DONE:
        facts["state"] = str(run.status)
    return facts


def _computed(run: Run) -> dict[str, str]:
    """Return the estimator and, where no workload says it, the networks that the engine computes, in words."""
    found = estimator_of(run)
    if found is None:
        return {_ESTIMATOR: f"of {run.engine} v{run.engine_version}, {_why_unknown(run)}"}
    return ({_MODEL: found.model} if found.model else {}) | {_ESTIMATOR: found.words}


def _why_unknown(run: Run) -> str:
    try:
        installed = get_engine(run.engine).version == run.engine_version
    except EngineError:
        installed = False
    return "which did not answer in time" if installed else "not installed any more"


def _contents(run: Run) -> dict[str, str]:
    """Return slot -> hash of the content of its document."""
    return {item.slot: item.content_hash for item in run.listed_inputs}


def _told_apart(described: list[dict[str, str]], contents: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Add the hash where documents of several projects share name and number but not their content."""
    for slot in {slot for found in contents for slot in found}:
        words, hashes = {facts.get(slot) for facts in described}, {found.get(slot) for found in contents}
        if len(words) < len(hashes):
            for facts, found in zip(described, contents, strict=True):
                if slot in found:
                    facts[slot] += f" ({found[slot][:_HASH_CHARACTERS]})"
    return described


def _flat(params: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in params.items():
        here = f"{path}.{name}" if path else name
        flat |= _flat(value, here) if isinstance(value, Mapping) and value else {here: value}
    return flat


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return counted(value)
    if isinstance(value, list):
        return ", ".join(_words(item) for item in value) or MISSING
    return MISSING if value is None or value == {} else str(value)
