from __future__ import annotations

import signal

from tests.support.databases import SQLITE
from tests.support.live import PATIENCE_S, LiveSite
from tests.webapp.runs.commands_for_tests import command
from webapp.runs.models import Run


@SQLITE
def test_ctrl_c_stops_the_run_and_keeps_what_is_stored(live_site: LiveSite) -> None:
    process = command(live_site, "explore", "toy", "--set", "steps=1000", "--set", "step_seconds=0.1", "--user", "ann")
    run = live_site.wait(Run.objects.first, "the command stores its run")
    live_site.wait_for_steps(run, 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 1
    live_site.wait_for_status(run, "stopped")
    assert run.design_count >= 8
