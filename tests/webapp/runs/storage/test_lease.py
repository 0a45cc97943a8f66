from __future__ import annotations

import pytest

from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin, step
from webapp.runs.errors import FencedOutError
from webapp.runs.models import FileBlob, LogLine, Run
from webapp.runs.queue import claim
from webapp.runs.storage.files import RunFileKeeper


def test_a_keeper_that_lost_the_run_writes_nothing(live_site: LiveSite) -> None:
    run, old = begin(live_site)
    old.store_step(1, step(1, checkpoint=True), None, None)
    Run.objects.filter(pk=run.pk).update(lease_expires="2020-01-01T00:00:00Z")
    old.store_log([("info", "An expired lease alone does not stop its holder.")])
    Run.objects.filter(pk=run.pk).update(lease_expires="2020-01-01T00:00:00Z")
    new = claim.claim_next("other", claim.Offer())
    assert new is not None and new.attempt == 2
    files = RunFileKeeper(old.fencing_token)
    for write in (
        lambda: old.store_step(2, step(2), None, None),
        lambda: old.store_log([("info", "late")]),
        lambda: old.finish(None),
        old.stop,
        old.requeue,
        old.rewind,
        old.fencing_token.renew,
        old.fencing_token.stop_wished,
        lambda: files.put(b"late"),
    ):
        with pytest.raises(FencedOutError):
            write()
    run.refresh_from_db()
    assert (run.status, run.attempt, run.step_number, run.lease_owner) == ("running", 2, 1, "other")
    assert not LogLine.objects.filter(text="late").exists() and not FileBlob.objects.exists()
