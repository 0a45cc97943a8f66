"""Plans as JSON values and back, for storage with a run and for the pipe from a child process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from engines.contract.engine import Bound, Plan, PlanCheck

# What bounds of plans stored by earlier versions are bounds on: they were pairs by title and named no column.
_COLUMNS = {
    f"{title} {place}": column
    for title, column in (("Latency", "latency_s"), ("Energy", "energy_j"))
    for place in ("on this package", "of any design", "of any mapping")
}


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON values."""
    return {
        "evaluations": plan.evaluations,
        "memory_mb": plan.memory_mb,
        "time_s": list(plan.time_s),
        "needs": sorted(plan.needs),
        "determinism": plan.determinism,
        "checks": [{"ok": bool(check.ok), "text": check.text, "hopeless": check.hopeless} for check in plan.checks],
        "bounds": [asdict(bound) for bound in plan.bounds],
        "notes": list(plan.notes),
    }


def plan_from_json(data: Mapping[str, Any]) -> Plan:
    """Return the plan that `plan_to_json` wrote."""
    low_s, high_s = data["time_s"]
    return Plan(
        evaluations=data["evaluations"],
        memory_mb=data["memory_mb"],
        time_s=(low_s, high_s),
        needs=frozenset(data["needs"]),
        determinism=data["determinism"],
        checks=tuple(PlanCheck(**check) for check in data["checks"]),
        bounds=bounds_from_json(data["bounds"]),
        notes=tuple(data["notes"]),
    )


def bounds_from_json(stored: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Any]]) -> tuple[Bound, ...]:
    """Return the bounds of a stored plan, also in the earlier format: title -> (value, unit)."""
    if isinstance(stored, Mapping):
        return tuple(Bound(_COLUMNS.get(title), title, value, unit) for title, (value, unit) in stored.items())
    return tuple(Bound(**bound) for bound in stored)
