"""A disk that is full for a minute: a run without a checkpoint is at work again soon after, and has not used up its attempts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.support.databases import LiveDatabase, Templates, using
from tests.support.live import LiveSite
from tests.support.postgresql import NoServerError, own_server
from tests.support.small_disk import NoDiskError, SmallDisk
from tests.support.soak import BACK_WITHIN_S, patiently
from webapp.runs.models import Run
from webapp.runs.queue.claim import MAX_ATTEMPTS_WITHOUT_CHECKPOINT

pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(600)]
FULL_S = 60.0
STEPS = 60


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    """A disk of the test's own."""
    try:
        with SmallDisk(512) as found:
            yield found
    except NoDiskError as error:
        pytest.skip(str(error))


def survive(
    site: LiveSite, disk: SmallDisk, environment: dict[str, str], again: Callable[[], None] | None = None
) -> None:
    """A run that stores more than there is room for is there again, and ends as one that nothing happened to."""
    site.worker(**environment)
    # Some tenths of a megabyte a step: it soon does not fit into what files have beyond what is in them.
    run = site.start(steps=STEPS, step_seconds=0.3, designs_per_step=2000, checkpoint_every=STEPS)
    site.wait_for_steps(run, 3)
    disk.be_full(FULL_S)
    room = time.monotonic()
    if again is not None:
        again()
    now = patiently(lambda: Run.objects.get(pk=run.pk))
    assert now.active and now.step_number < STEPS, "it could not go on without room"

    def at_work() -> bool:
        found = Run.objects.get(pk=run.pk)
        return found.attempt > now.attempt or found.step_number > now.step_number

    site.wait(lambda: patiently(at_work), "at work again")
    back_s = time.monotonic() - room
    site.wait(lambda: patiently(lambda: not Run.objects.get(pk=run.pk).active), "the run has ended", 300.0)
    run.refresh_from_db()
    print(f"\n{site.database.kind}: full for {FULL_S:g} s, at work after {back_s:.1f} s, in attempt {run.attempt}")
    assert run.status == "done", (run.outcome_detail, run.attempt_reasons, site.worker_logs(6000))
    assert back_s < BACK_WITHIN_S and run.attempts_without_checkpoint < MAX_ATTEMPTS_WITHOUT_CHECKPOINT
    site.assert_same_designs(run)


def test_everything_of_a_site_lies_on_it(
    disk: SmallDisk, sqlite_templates: Templates, django_db_blocker: object
) -> None:
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())  # type: ignore[attr-defined]
        database = stack.enter_context(sqlite_templates.sqlite(disk.folder))
        stack.enter_context(using(database.url))
        temporary = disk.folder / "tmp"
        temporary.mkdir()
        survive(stack.enter_context(LiveSite(database)), disk, {"TMPDIR": str(temporary)})


def test_the_database_lies_on_it(disk: SmallDisk, tmp_path: Path, django_db_blocker: object) -> None:
    with ExitStack() as stack:
        try:
            server = stack.enter_context(own_server(disk.folder))
        except NoServerError as error:
            pytest.skip(str(error))
        stack.enter_context(django_db_blocker.unblock())  # type: ignore[attr-defined]
        name = server.create()
        stack.enter_context(using(server.url_of(name)))
        call_command("migrate", interactive=False, verbosity=0)
        site = stack.enter_context(LiveSite(LiveDatabase("postgresql", server.url_of(name), tmp_path)))
        survive(site, disk, {}, server.wait_until_it_answers)
