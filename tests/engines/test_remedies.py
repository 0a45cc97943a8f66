"""A remedy mends what it names: a run with the value in it finds designs, or the remedy says that it may not be enough."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engines.contract.engine import Infeasibility, Problem
from engines.documents.problems import validate_params
from engines.registry import BUILT_INS
from engines.testing import conformance
from tests.engines.tiny import tiny_problem

_FORM = re.compile(r"(?:Allow at least|Ask for at most) ([0-9.]+)(?:\u00a0(\S+?))?(; (?:more|less) may be needed)?\.")
_QUICK = {"energyshield", "map-and-conquer", "neksus", "soc-mapping", "split-network"}


def infeasible(name: str, problem: Problem) -> Infeasibility | None:
    return conformance.run_all(tiny_problem(name), problem=problem)[-1].infeasible


def mended(problem: Problem, text: str, field: str) -> Problem | None:
    """The problem with the value that a remedy names; None where it names none, or says that it may not be enough."""
    found = _FORM.fullmatch(text)
    if found is None or found[3]:
        return None
    value = float(found[1]) * (1e-3 if found[2] in ("ms", "mJ") else 1.0)
    given = {**problem.params.model_dump(), field.removeprefix("params."): value}
    return replace(problem, params=validate_params(type(problem.params), given))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in _QUICK else [pytest.mark.long]) for name in sorted(BUILT_INS)]
)
def test_the_first_remedy_with_a_value_is_enough(name: str) -> None:
    problem = tiny_problem(name).impossible
    if problem is None:
        pytest.skip("It has no limits.")
    found = infeasible(name, problem)
    assert found is not None
    assert not any("\u00a0." in text or " ." in text for text, _ in found.remedies)
    for text, field in found.remedies:
        other = mended(problem, text, field)
        if other is not None:
            again = infeasible(name, other)
            # What is enough for this limit may be too little for another one.
            assert again is None or again.limit.split(" within")[0] != found.limit.split(" within")[0], (text, again)
