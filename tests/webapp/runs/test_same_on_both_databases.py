"""A stored problem gives the same bytes of designs and results whichever database it lies in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engines.contract.designs import ordered_json, table_to_bytes
from engines.contract.encoding.result_json import result_to_bytes
from engines.contract.engine import Problem
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.soc_mapping.problems import mapping_problem
from tests.engines.tiny import TINY_PROBLEMS, tiny_problem
from tests.support.databases import using
from tests.support.stored_runs import make_people
from webapp.runs.inputs.planning import plan_of
from webapp.runs.inputs.problems import read_problem
from webapp.runs.models import Run, RunInput
from webapp.runs.service import inputs_of, unsaved_run

DATABASES = ("sqlite", "postgresql")


def drawn_mappings() -> Problem:
    """Units are drawn by their place in the board's document: "gpu" stands before "dla" there."""
    return mapping_problem({"method": "nsga2", "evaluations": 220, "population": 20}, seed=3)


MAKERS: Mapping[str, Callable[[], Problem]] = {
    **{name: lambda name=name: tiny_problem(name).problem for name in sorted(TINY_PROBLEMS)},  # type: ignore[misc]
    "drawn mappings": drawn_mappings,
}
# What is computed at every change; that problems come back as they were is looked at for all.
SHORT = ("drawn mappings", "scar", "toy")


@pytest.fixture(scope="module")
def stored(
    request: pytest.FixtureRequest, tmp_path_factory: Any, django_db_blocker: Any
) -> dict[str, dict[str, Problem]]:
    """Database -> name -> the problem as it comes back from a run stored there."""
    problems = {name: make() for name, make in MAKERS.items()}
    found = {}
    for kind in DATABASES:
        templates = request.getfixturevalue(f"{kind}_templates")
        make_database = getattr(templates, kind)
        with django_db_blocker.unblock(), make_database(tmp_path_factory.mktemp(kind)) as database, using(database.url):
            found[kind] = _stored_and_read(problems)
    return found


def _stored_and_read(problems: Mapping[str, Problem]) -> dict[str, Problem]:
    people = make_people()
    found = {}
    for name, problem in problems.items():
        run = unsaved_run(problem, plan_of(problem), project=people.project, owner=people.owner, title=name)
        run.save(force_insert=True)
        RunInput.objects.bulk_create(inputs_of(run, problem))
        found[name] = read_problem(Run.objects.get(pk=run.pk))
    return found


@pytest.mark.parametrize("name", MAKERS)
def test_it_comes_back_as_it_was(name: str, stored: dict[str, dict[str, Problem]]) -> None:
    given = MAKERS[name]()
    for kind in DATABASES:
        problem = stored[kind][name]
        assert problem.hash() == given.hash()
        assert _text_of(problem) == _text_of(given), f"{kind} gives keys back in another order"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SHORT else [pytest.mark.long]) for name in MAKERS]
)
def test_it_gives_the_same_bytes(name: str, stored: dict[str, dict[str, Problem]]) -> None:
    assert len({_bytes_of(stored[kind][name]) for kind in DATABASES}) == 1


def _text_of(problem: Problem) -> str:
    """Parameters and documents with their keys in the order in which an engine meets them."""
    documents = {slot: document.content for slot, document in sorted(problem.inputs.items())}
    return ordered_json([problem.params.model_dump(mode="json"), documents])


def _bytes_of(problem: Problem) -> bytes:
    steps = run_all(TinyProblem(problem))
    designs = designs_of(steps)
    tables = [table_to_bytes(table) for table in (designs.scalars_table(), designs.decisions_table())]
    return b"".join([*tables, *(result_to_bytes(result) for step in steps for result in step.results)])
