"""No engine evaluates more than it plans, whatever the budget: least ones, and those around a population."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from annotated_types import Ge
from pydantic.fields import FieldInfo

from engines.documents.problems import validate_params
from engines.registry import BUILT_INS, get_engine
from engines.running.inspection import plan as plan_of
from engines.testing import conformance
from tests.engines.tiny import tiny_problem

BUDGETS = ("evaluations", "designs", "networks")
# Searches that a budget bounds; all other engines run as their tiny problem says.
METHODS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "map-and-conquer": ({"method": "published"}, {"method": "nsga2"}, {"method": "layers"}),
    "mapformer": tuple({"manager": name} for name in ("ours", "random", "genetic", "gpu", "mosaic", "odmdef")),
    "myml": ({"population": 2},),  # more than the budget are refused
    "neksus": ({"method": "evolutionary", "simulate_network": False},),
    "package-search": ({"method": "evolutionary"}, {"method": "auto"}),
    "scar": ({"population": 4},),
    "soc-mapping": ({"method": "nsga2"}, {"method": "exact"}),
}
QUICK = {
    ("map-and-conquer", 0),
    ("map-and-conquer", 1),
    ("mapformer", 1),
    ("neksus", 0),
    ("soc-mapping", 0),
    ("split-network", 0),
}
ALSO_QUICK = {("energyshield", 0, 1), ("mapformer", 0, 100)}  # with this budget alone


def least(field: FieldInfo) -> int:
    return next(int(str(rule.ge)) for rule in field.metadata if isinstance(rule, Ge))


def cases() -> Iterator[Any]:
    """Engine, parameters that differ from its tiny problem, and the parameter that is the budget with its value."""
    for name in sorted(BUILT_INS):
        fields = tiny_fields(name)
        budget = next((field for field in BUDGETS if field in fields), None)
        low = least(fields[budget]) if budget else 0
        for number, method in enumerate(METHODS.get(name, ({},))):
            population = method.get(
                "population", max(least(fields["population"]), low + 1) if "population" in fields else 0
            )
            change = {**method, **({"population": population} if population else {})}
            around = (1, 2, population - 1, population, population + 1) if population else (1, 2)
            for value in sorted({max(low, each) for each in around}) if budget else [0]:
                quick = (name, number) in QUICK or (name, number, value) in ALSO_QUICK
                given = {**change, **({budget: value} if budget else {})}
                yield pytest.param(
                    name, given, id=f"{name}-{number}-{value}", marks=[] if quick else [pytest.mark.long]
                )


def tiny_fields(name: str) -> Mapping[str, FieldInfo]:
    return get_engine(name).Params.model_fields


@pytest.mark.parametrize(("name", "given"), list(cases()))
def test_it_keeps_within_its_plan_and_ends(name: str, given: Mapping[str, Any]) -> None:
    tiny = tiny_problem(name)
    kept = tiny.problem.params
    problem = replace(tiny.problem, params=validate_params(type(kept), {**kept.model_dump(), **given}))
    steps = conformance.run_all(tiny, problem=problem)
    assert 0 < steps[-1].metrics["evaluations"] <= plan_of(problem, tiny.engine).evaluations
    assert steps[-1].fraction == 1.0 or steps[-1].infeasible is not None
    searched = conformance.designs_of(steps)
    assert len(searched) and (steps[-1].infeasible is None) == bool(
        searched.counted(tiny.engine.quantities_of(problem.params)).any()
    )
