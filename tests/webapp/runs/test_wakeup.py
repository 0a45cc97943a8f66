from __future__ import annotations

from typing import Any

import pytest

from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.runs import wakeup
from webapp.runs.models import Run


def test_the_bell_rings_only_after_the_commit(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import transaction

    rung: list[int] = []
    monkeypatch.setattr(wakeup, "notify_workers", lambda: rung.append(Run.objects.count()))
    with transaction.atomic():
        live_site.start()
        assert rung == []
    assert rung == [1]


@SQLITE
def test_a_silent_broker_does_not_keep_a_run_from_being_stored(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("no broker")

    monkeypatch.setattr("webapp.runs.tasks.look.apply_async", broken)
    assert live_site.start().status == "queued"
