"""What the tables of runs refuse themselves."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from tests.support.live import LiveSite
from tests.webapp.runs.stores_for_tests import begin, step
from webapp.runs.models import StepRecord


def test_the_tables_themselves_refuse_a_second_step_of_a_number(live_site: LiveSite) -> None:
    run, store = begin(live_site)
    store.store_step(1, step(1), None, None)
    with pytest.raises(IntegrityError):
        StepRecord.objects.create(run=run, number=1, attempt=1, fraction=0.5, message="")
