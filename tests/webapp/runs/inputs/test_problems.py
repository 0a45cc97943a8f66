"""Problems of stored runs are parsed once, and never from another run's documents where these differ."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.engines.methods.soc_mapping.problems import mapping_problem
from tests.support.stored_runs import make_people
from webapp.runs.inputs.planning import plan_of
from webapp.runs.inputs.problems import problem_of
from webapp.runs.models import Run, RunInput
from webapp.runs.service import inputs_of, unsaved_run

pytestmark = pytest.mark.django_db


def test_an_imported_run_with_keys_in_another_order_has_a_problem_of_its_own() -> None:
    people, problem = make_people(), mapping_problem({})
    orders = {}
    for there in ({}, {"at": timezone.now().isoformat()}):
        run = unsaved_run(problem, plan_of(problem), project=people.project, owner=people.owner, title="Run")
        run.imported = there
        run.save(force_insert=True)
        documents = inputs_of(run, problem)
        for document in documents if there else ():
            document.content = dict(reversed(document.content.items()))
        RunInput.objects.bulk_create(documents)
        orders[bool(there)] = list(problem_of(Run.objects.get(pk=run.pk)).inputs["hardware"].content)
    assert orders[True] == orders[False][::-1]
    assert problem_of(run) is problem_of(Run.objects.get(pk=run.pk))
