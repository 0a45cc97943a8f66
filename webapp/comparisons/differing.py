"""What the problems of several runs do not have in common: engine, inputs, parameters, seed, evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.counts import counted
from webapp.runs.models import Run

MISSING = "–"
_HASH_CHARACTERS = 8


@dataclass(frozen=True)
class Differing:
    """One thing that is not the same in all runs: its name and one value per run, as words."""

    name: str
    values: tuple[str, ...]

    @property
    def everywhere(self) -> bool:
        """Whether all runs know it; parameters of one engine only say less about a comparison of several."""
        return MISSING not in self.values


def differing(runs: Sequence[Run]) -> list[Differing]:
    """Everything that differs, inputs first; empty where the runs repeat each other."""
    described = _told_apart([_described(run) for run in runs], [_contents(run) for run in runs])
    names = dict.fromkeys(name for facts in described for name in facts)
    rows = [Differing(name, tuple(facts.get(name, MISSING) for facts in described)) for name in names]
    return [row for row in rows if len(set(row.values)) > 1]


def _described(run: Run) -> dict[str, str]:
    facts = {"engine": f"{run.engine} v{run.engine_version}"}
    for item in run.inputs.all().defer("content").order_by("slot"):
        facts[item.slot] = f"{item.slug} v{item.version}"
    facts |= {f"{name}": _words(value) for name, value in sorted(_flat(run.params).items())}
    facts["seed"] = str(run.seed)
    facts["evaluations"] = _words(run.evaluations)
    if run.status != Run.Status.DONE:
        facts["state"] = str(run.status)
    return facts


def _contents(run: Run) -> dict[str, str]:
    """Slot -> hash of the content of its document."""
    return dict(run.inputs.values_list("slot", "content_hash"))


def _told_apart(described: list[dict[str, str]], contents: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Documents of several projects may share a name and a number: where content differs and words do not, its hash tells."""
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
