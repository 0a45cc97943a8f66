"""Imports go into the database in short pieces, are seen until they are whole, and leave nothing behind where they are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from engines.contract.errors import ProblemError
from engines.exchange.bundle_reader import read_bundle
from tests.support.bundles import ENGINES, Members, changed
from tests.support.databases import LiveDatabase
from tests.support.stored_runs import People, finished_run
from webapp.runs.bundles import run_import
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.models import DesignChunk, LogLine, Run, RunFile, RunInput, RunResult, StepRecord

pytestmark = pytest.mark.django_db
PARTS = (RunInput, DesignChunk, RunResult, RunFile, StepRecord, LogLine)


@pytest.fixture
def bundle(people: People) -> bytes:
    with write_bundle(finished_run(people)) as stream:
        return stream.read()


def with_lines(bundle: bytes, count: int, name: str = "log") -> bytes:
    def change(manifest: dict[str, Any], members: Members) -> None:
        row = json.loads(members[f"{name}.json"])[0]
        members[f"{name}.json"] = json.dumps([{**row, "number": number} for number in range(count)]).encode()

    return changed(bundle, change)


@contextmanager
def watched(table: str, seen: Callable[[], None]) -> Iterator[None]:
    """Calls `seen` before every statement that adds rows to `table`."""

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(f'INSERT INTO "{table}"'):
            seen()
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield


def test_it_is_seen_as_importing_until_it_is_whole(people: People, bundle: bytes) -> None:
    states = []
    with watched("runs_logline", lambda: states.append(Run.objects.latest("pk"))):
        copy = import_bundle(people.owner, people.project, with_lines(bundle, 1200))
    assert {state.status for state in states} == {"importing"}
    shares = sorted({state.fraction for state in states})
    assert len(shares) == 3 and shares[0] > 0 and shares[-1] <= 1  # 500 lines at a time
    assert (copy.status, copy.lease_owner, copy.lease_expires) == ("done", "", None)
    assert copy.design_count == 20 and LogLine.objects.filter(run=copy).count() == 1200


def test_nothing_is_left_of_one_that_fails(people: People, bundle: bytes) -> None:
    before = [model.objects.count() for model in (Run, *PARTS)]

    def fail() -> None:
        raise ValueError("the disk is full")

    with watched("runs_logline", fail), pytest.raises(ValueError, match="disk"):
        import_bundle(people.owner, people.project, bundle)
    assert [model.objects.count() for model in (Run, *PARTS)] == before


def test_one_that_is_deleted_meanwhile_says_so(people: People, bundle: bytes) -> None:
    many = with_lines(bundle, 600, "steps")
    give_up = watched("runs_steprecord", lambda: run_import.give_up(Run.objects.all()))
    with give_up, pytest.raises(ProblemError, match="deleted while it was imported"):
        import_bundle(people.owner, people.project, many)
    abandoned = Run.objects.latest("pk")
    assert (abandoned.status, abandoned.lease_owner) == ("importing", "")


def test_workers_delete_what_a_killed_process_left(people: People, bundle: bytes) -> None:
    kept = Run.objects.get()

    def killed() -> None:
        raise KeyboardInterrupt  # nothing is cleaned up, as after a kill

    with watched("runs_logline", killed), pytest.raises(KeyboardInterrupt):
        import_bundle(people.owner, people.project, bundle)
    left = Run.objects.latest("pk")
    assert left.status == "importing" and DesignChunk.objects.filter(run=left).exists()
    assert not run_import.sweep_imports()  # it may still be at work
    Run.objects.filter(pk=left.pk).update(lease_expires=left.created)
    while run_import.sweep_imports():
        pass
    assert list(Run.objects.all()) == [kept]
    assert all(not model.objects.exclude(run=kept).exists() for model in PARTS)


@pytest.fixture
def running_import(people: People) -> run_import.PiecewiseImport:
    """One that has stored its row, whose run will be done."""
    run = Run(
        project=people.project, owner=people.owner, title="Copy", engine="toy", engine_version=1, status=Run.Status.DONE
    )
    return run_import.PiecewiseImport(run, 2)


@contextmanager
def before_update(act: Callable[[], object]) -> Iterator[None]:
    """Calls `act` once, before the next statement that changes runs."""
    waiting = [act]

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('UPDATE "runs_run"') and waiting:
            waiting.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield
    assert not waiting


@pytest.mark.parametrize("step", ["finish", "renew"])
def test_a_sweep_that_waits_leaves_alone_what_goes_on_meanwhile(
    running_import: run_import.PiecewiseImport, step: str
) -> None:
    run = running_import.run
    Run.objects.filter(pk=run.pk).update(lease_expires=run.created)
    go_on = running_import.finish if step == "finish" else (lambda: running_import.store(lambda: None))
    with before_update(go_on):
        run_import.sweep_imports()
    if step == "renew":
        running_import.finish()
    run.refresh_from_db()
    assert (run.status, run.message) == ("done", "")


@pytest.mark.parametrize("live_database", ["sqlite"], indirect=True)
def test_one_whose_last_answer_got_lost_is_whole(live_database: LiveDatabase, request: pytest.FixtureRequest) -> None:
    run = request.getfixturevalue("running_import").run
    finish = request.getfixturevalue("running_import").finish

    def lose() -> None:
        raise OperationalError("the server closed the connection")

    with before_update(lambda: transaction.on_commit(lose)):
        finish()
    run.refresh_from_db()
    assert (run.status, run.lease_owner) == ("done", "")


@pytest.mark.parametrize(("name", "limit"), [("log", "MAX_LOG_LINES"), ("steps", "MAX_STEPS")])
def test_more_steps_and_lines_than_a_run_keeps_are_refused(
    bundle: bytes, name: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"engines.exchange.bundle_reader.{limit}", 40)
    assert read_bundle(with_lines(bundle, 40, name), "run.zip", ENGINES).report["designs"] == 20
    with pytest.raises(ProblemError, match=r"at most 40 (lines|steps)\. Got .41 ") as caught:
        read_bundle(with_lines(bundle, 41, name), "run.zip", ENGINES)
    assert caught.value.field == f"bundle.{name}.json"


def test_a_file_too_large_for_one_transaction_is_refused(bundle: bytes) -> None:
    def change(manifest: dict[str, Any], members: Members) -> None:
        members["files/0000.bin"] = b"\0" * 64_000_001

    with pytest.raises(ProblemError, match=r"files/0000\.bin"):
        read_bundle(changed(bundle, change), "run.zip", ENGINES)
