from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from tests.support.stored_runs import People


def test_the_command_that_lists_documents(people: People) -> None:
    out = io.StringIO()
    call_command("documents", "hardware", "--engine", "seesaw", "--user", people.stranger.get_username(), stdout=out)
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["fitness-tracker", "openmv-gps-camera"]
    for wrong in (("software",), ("hardware", "--engine", "nothing")):
        with pytest.raises(CommandError, match="must be one of") as caught:
            call_command("documents", *wrong)
        assert caught.value.returncode == 2
