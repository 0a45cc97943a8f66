from __future__ import annotations

from datetime import UTC, datetime

from frontend.pages.run.tabs.log import log_lines
from webapp.runs.models import LogLine


def test_lines_have_their_moment_their_level_and_their_words() -> None:
    line = LogLine(time=datetime(2024, 2, 1, 12, 30, 5, tzinfo=UTC), level="error", text="The worker stopped.")
    moment, level, words = log_lines([line]).children[0].children
    assert moment.children == "2024-02-01 12:30:05" and moment.title.endswith("(UTC)")
    assert (level.className, words.children) == ("bad", "The worker stopped.")


def test_an_empty_log_says_when_there_will_be_lines() -> None:
    assert "The log is empty" in str(log_lines([]).to_plotly_json())
