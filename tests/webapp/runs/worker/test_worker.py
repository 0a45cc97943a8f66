from __future__ import annotations

import pytest

from tests.support.databases import SQLITE
from tests.support.live import PATIENCE_S, LiveSite
from tests.webapp.runs.commands_for_tests import command
from webapp.runs.models import Run


@SQLITE
@pytest.mark.long
def test_a_worker_goes_on_when_the_command_is_asked_to_end(live_site: LiveSite) -> None:
    go_on = live_site.database.folder / "go-on"
    set_ = [word for each in ("steps=4", "hold_at=1", f"hold_until={go_on}") for word in ("--set", each)]
    process = command(live_site, "explore", "toy", *set_, "--user", "ann")
    run = live_site.wait(Run.objects.first, "the command stores its run")
    live_site.wait_for_steps(run, 1)
    assert "(command)" in run.lease_owner
    process.terminate()
    process.wait(PATIENCE_S)
    live_site.wait_for_status(run, "queued")
    go_on.touch()
    live_site.worker()
    live_site.wait_for_status(run, "done")
    live_site.assert_same_designs(run)
