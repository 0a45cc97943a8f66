from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.support.live import LiveSite
from webapp.runs import service
from webapp.runs.errors import RunStateError
from webapp.runs.models import Run


def test_only_a_stopped_or_failed_run_is_continued(live_site: LiveSite) -> None:
    run = live_site.start()
    with pytest.raises(RunStateError, match=r"stopped or failed\. This one is queued"):
        service.continue_run(live_site.ann, run)
    Run.objects.filter(pk=run.pk).update(status="done")
    with pytest.raises(RunStateError):
        service.continue_run(live_site.ann, run)
    assert service.request_stop(live_site.ann, run).status == "done"
    Run.objects.filter(pk=run.pk).update(status="failed", engine_version=99)
    with pytest.raises(ProblemError, match=r"Another release made this run.*Start a new run"):
        service.continue_run(live_site.ann, run)
