"""Databases with runs in them go from one version to the next, and back, and keep what they hold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.encoding.result_json import equal, to_json
from engines.contract.results import HYPERVOLUME, Curve, Note, Table, TableColumn
from engines.registry import register, unregister
from tests.support.databases import LiveDatabase
from tests.support.stored_runs import finished_run, make_people
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run, RunInput, RunResult, StepRecord
from webapp.runs.results import readers
from webapp.runs.storage.stored_bytes import count_again


@pytest.fixture
def run(live_database: LiveDatabase) -> Iterator[Run]:
    register("toy", ToyEngine)
    yield finished_run(make_people())
    unregister("toy")


@pytest.mark.long
def test_runs_keep_their_json_and_their_table_is_written_again_once(live_database: LiveDatabase, run: Run) -> None:
    def stored() -> list[object]:
        return [
            list(model._default_manager.order_by("pk").values()) for model in (Run, RunInput, RunResult, StepRecord)
        ]

    count_again(run.pk)  # as the last migration does
    before = stored()
    call_command("migrate", "runs", "0005", verbosity=0)
    with CaptureQueriesContext(connection) as captured:
        call_command("migrate", "runs", verbosity=0)
    assert stored() == before
    types = [each["sql"] for each in captured if "TYPE json" in each["sql"] and '"runs_run"' in each["sql"]]
    assert len(types) == (1 if live_database.kind == "postgresql" else 0)
    Run.objects.filter(pk=run.pk).update(metrics={"longer": 1, "a": 2})
    assert list(Run.objects.get(pk=run.pk).metrics) == ["longer", "a"]


def test_results_of_before_say_what_they_are(live_database: LiveDatabase, run: Run) -> None:
    curve = Curve(
        "exact-share", "Share", np.ones(1), "Mappings scored", "", (), role="progress", belongs_to=HYPERVOLUME
    )
    table = Table("totals", "Totals", (TableColumn("Value", np.ones(1)), TableColumn("Unit", ("s",), row_units=True)))
    said = [
        curve,
        table,
        Note("exactness", "Exact", "All was looked at.", role="proof"),
        Note("remark", "Remark", "One."),
    ]
    for result in said:
        content = to_json(result)
        RunResult.objects.create(run=run, name=result.name, type=content["type"], step_number=99, content=content)
    call_command("migrate", "runs", "0008", verbosity=0)
    assert not any("role" in content for content in RunResult.objects.values_list("content", flat=True))
    call_command("migrate", "runs", verbosity=0)
    held = readers.results(run)
    assert all(equal(held[result.name], result) for result in said)
