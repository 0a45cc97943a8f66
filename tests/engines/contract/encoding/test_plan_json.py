"""Plans as data and back."""

from __future__ import annotations

import json

from engines.contract.encoding.plan_json import bounds_from_json, plan_from_json, plan_to_json
from engines.contract.engine import Bound, Plan, PlanCheck


def test_a_plan_comes_back_whole() -> None:
    plan = Plan(
        12,
        100.0,
        (0.5, 1.5),
        frozenset({"torch"}),
        "pinned",
        (PlanCheck(False, "No design can meet it", hopeless=True),),
        (Bound("latency_s", "Latency of any design", 0.25, "s"), Bound(None, "Silicon", 3.0, "mm²")),
        ("One note.",),
    )
    assert plan_from_json(json.loads(json.dumps(plan_to_json(plan)))) == plan


def test_bounds_of_earlier_plans_get_their_columns_where_they_are_known() -> None:
    stored = {"Energy on this package": [2.0, "J"], "Energy-delay product on the given package": [1.0, "J·s"]}
    assert bounds_from_json(stored) == (
        Bound("energy_j", "Energy on this package", 2.0, "J"),
        Bound(None, "Energy-delay product on the given package", 1.0, "J·s"),
    )
