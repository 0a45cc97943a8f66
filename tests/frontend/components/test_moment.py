from __future__ import annotations

from datetime import UTC, datetime, timedelta

from frontend.components.moment import moment, since

NOW = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)


def test_a_moment_carries_what_its_script_counts_from() -> None:
    told = moment(NOW - timedelta(minutes=3), NOW, "nw").to_plotly_json()["props"]
    assert (told["children"], told["dateTime"]) == ("3\u00a0min ago", "2026-11-26T11:57:00+00:00")
    assert (told["data-ago"], told["className"], told["title"]) == ("", "nw", "2026-11-26 11:57:00 UTC")


def test_a_span_of_time_is_in_whole_seconds_and_never_before_it_began() -> None:
    assert since(NOW - timedelta(seconds=12.7), NOW).children == "12\u00a0s"
    assert [since(NOW - timedelta(seconds=s), NOW).children for s in (-1, 2.4)] == ["0\u00a0s", "2\u00a0s"]
