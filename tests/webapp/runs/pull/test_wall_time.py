from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from webapp.runs.pull.wall_time import WallTime, seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90m", 5400),
        ("2h", 7200),
        ("1.5h", 5400),
        ("45:00", 2700),
        ("2:00:00", 7200),
        ("1-12:00:00", 129600),
        ("1d", 86400),
    ],
)
def test_durations_are_read_as_people_and_slurm_write_them(text: str, seconds: float) -> None:
    assert seconds_of("--wall-time", text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "2", "-1h", "1:2:3:4"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ProblemError, match="a duration such as"):
        seconds_of("--wall-time", text)


def test_a_worker_drains_before_the_end() -> None:
    now = [100.0]
    wall = WallTime(7200.0, lambda: now[0])
    assert not wall.drains()
    now[0] = 100.0 + 7200.0 - 94.0
    assert wall.drains() and not wall.is_over()
    now[0] = 100.0 + 7200.0 - 4.0
    assert wall.is_over()
    with pytest.raises(ProblemError, match="at least 60s"):
        WallTime(59.0)
