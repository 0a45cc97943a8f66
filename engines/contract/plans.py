"""Plans as JSON-able data, and back: as stored with a run, and as a child sends them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Plan, PlanCheck


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """A plan as JSON-able data, as stored with the run."""
    return {
        "evaluations": plan.evaluations,
        "memory_mb": plan.memory_mb,
        "time_s": list(plan.time_s),
        "needs": sorted(plan.needs),
        "determinism": plan.determinism,
        "checks": [{"ok": bool(check.ok), "text": check.text} for check in plan.checks],
        "bounds": {label: list(pair) for label, pair in plan.bounds.items()},
        "notes": list(plan.notes),
    }


def plan_from_json(data: Mapping[str, Any]) -> Plan:
    """The plan that `plan_to_json` was given."""
    low_s, high_s = data["time_s"]
    return Plan(
        evaluations=data["evaluations"],
        memory_mb=data["memory_mb"],
        time_s=(low_s, high_s),
        needs=frozenset(data["needs"]),
        determinism=data["determinism"],
        checks=tuple(PlanCheck(check["ok"], check["text"]) for check in data["checks"]),
        bounds={label: (value, unit) for label, (value, unit) in data["bounds"].items()},
        notes=tuple(data["notes"]),
    )
