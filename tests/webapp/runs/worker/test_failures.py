from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError

from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.webapp.runs.commands_for_tests import explore


@SQLITE
def test_explore_tells_an_infeasible_and_a_broken_run(live_site: LiveSite) -> None:
    assert "No design can meet the limits" in explore("toy", "--set", "energy_limit_j=0.5")
    with pytest.raises(CommandError) as caught:
        explore("toy", "--set", "crash_at=1")
    assert caught.value.returncode == 1
    assert get_user_model().objects.filter(username="local").count() == 1
