from __future__ import annotations

import numpy as np

from engines.contract.engine import Step
from engines.running.runner.frame_parts import pack_step
from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin
from webapp.runs.results import readers


def test_numbers_that_json_cannot_say_are_stored_as_missing(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    frame = pack_step(Step(0.5, message="NUL \x00 here", metrics={"latency_s": float("nan"), "energy_j": 2.0}), 1)
    store.store_step(1, frame, float("inf"), None)
    run.refresh_from_db()
    assert run.metrics == {"latency_s": None, "energy_j": 2.0} and "\x00" not in run.message
    assert np.isnan(readers.convergence(run).hypervolume).all()
