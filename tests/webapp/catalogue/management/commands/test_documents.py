from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from hardware.soc.board_documents import boards
from tests.support.stored_runs import People


def test_the_command_that_lists_documents(people: People) -> None:
    out = io.StringIO()
    call_command("documents", "hardware", "--engine", "seesaw", "--user", people.stranger.get_username(), stdout=out)
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["fitness-tracker", "openmv-gps-camera"]
    out = io.StringIO()
    call_command("documents", "hardware", "--engine", "soc-mapping", stdout=out)
    lines = {line.split()[1]: line for line in out.getvalue().splitlines()}
    assert set(boards()) <= set(lines) and len(lines) >= 79
    assert lines["rk3588"].endswith("Rockchip RK3588 (lacks power)")
    assert lines["apple-m1"].endswith("(lacks peak, clock, power)") and "lacks" not in lines["jetson-tx2"]
    for wrong in (("software",), ("hardware", "--engine", "nothing")):
        with pytest.raises(CommandError, match="must be one of") as caught:
            call_command("documents", *wrong)
        assert caught.value.returncode == 2
