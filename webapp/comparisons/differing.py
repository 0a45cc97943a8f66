"""What the problems of several runs do not have in common: engine, inputs, parameters, seed, evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webapp.runs.models import Run

_MISSING = "–"


@dataclass(frozen=True)
class Differing:
    """One thing that is not the same in all runs: its name and one value per run, as words."""

    name: str
    values: tuple[str, ...]


def differing(runs: Sequence[Run]) -> list[Differing]:
    """Everything that differs, inputs first; empty where the runs repeat each other."""
    described = [_described(run) for run in runs]
    names = dict.fromkeys(name for facts in described for name in facts)
    rows = [Differing(name, tuple(facts.get(name, _MISSING) for facts in described)) for name in names]
    return [row for row in rows if len(set(row.values)) > 1]


def _described(run: Run) -> dict[str, str]:
    facts = {"engine": f"{run.engine} v{run.engine_version}"}
    for item in run.inputs.all().defer("content").order_by("slot"):
        facts[item.slot] = f"{item.slug} v{item.version}"
    facts |= {f"{name}": _words(value) for name, value in sorted(_flat(run.params).items())}
    facts["seed"] = str(run.seed)
    facts["evaluations"] = str(run.evaluations)
    if run.status != Run.Status.DONE:
        facts["state"] = str(run.status)
    return facts


def _flat(params: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in params.items():
        here = f"{path}.{name}" if path else name
        flat |= _flat(value, here) if isinstance(value, Mapping) and value else {here: value}
    return flat


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_words(item) for item in value) or _MISSING
    return _MISSING if value is None or value == {} else str(value)
