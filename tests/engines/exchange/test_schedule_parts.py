from __future__ import annotations

from engines.exchange.schedule_differences import parts_of
from tests.engines.exchange.schedules_for_tests import schedule


def test_two_parts_of_one_name_are_two_parts() -> None:
    twice = schedule(
        ("C0", 0.0, 1.0, "compute", "A root"),
        ("C0", 1.0, 4.0, "compute", "A stem"),
        ("C0", 4.0, 5.0, "compute", "A root"),
    )
    assert [(part.words, part.start_s, part.end_s) for part in parts_of(twice)] == [
        ("A root", 0.0, 1.0),
        ("A stem", 1.0, 4.0),
        ("A root", 4.0, 5.0),
    ]
