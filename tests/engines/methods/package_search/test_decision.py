from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import DecisionError
from engines.running.inspection import evaluate
from tests.engines.methods.package_search.cases import run
from tests.engines.methods.package_search.problems import search_problem


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"package": None}, "decisions.0.package"),
        ({"goal": "fame"}, "decisions.0.goal"),
        ({"windows": []}, "decisions.0.windows"),
    ],
)
def test_bad_decisions_are_named(change: dict[str, Any], field: str) -> None:
    problem = search_problem()
    decision = run(problem)[0].decisions[0]
    with pytest.raises(DecisionError) as caught:
        evaluate(problem, [{**decision, **change}])
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dataflows", ["nvdla"]),
        ("dataflows", ["tpu"] * 4),
        ("processing_elements", [1, 64, 64, 64]),
        ("interface_sides", []),
        ("interface_sides", ["left", {}]),
        ("link_bandwidth_gb_per_s", -1),
    ],
)
def test_bad_packages_are_named(key: str, value: Any) -> None:
    problem = search_problem()
    decision = run(problem)[0].decisions[0]
    changed = {**decision, "package": {**decision["package"], key: value}}
    with pytest.raises(DecisionError) as caught:
        evaluate(problem, [changed])
    assert caught.value.field == f"decisions.0.package.{key}"
