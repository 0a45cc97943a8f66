"""Waiting asks until it has ended, as often as it should."""

from __future__ import annotations

import pytest

from paretoscope_client.errors import WaitedTooLongError
from paretoscope_client.waiting import POLL_S, Progress, until_ended


def test_it_ends_with_what_has_ended(capsys: pytest.CaptureFixture[str]) -> None:
    steps = iter([Progress("Run 1", "queued", 0.0, False), Progress("Run 1", "done", 1.5, True)])
    slept: list[float] = []
    assert until_ended(lambda: next(steps), slept.append, None, True).words == "done"
    assert slept == [POLL_S]
    shown = capsys.readouterr().err
    assert "Run 1: queued |" in shown and "100 %" in shown


def test_it_draws_nothing_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    until_ended(lambda: Progress("Run 1", "done", 1.0, True), lambda _: None, 0.0, False)
    with pytest.raises(WaitedTooLongError, match="Run 1 has not ended within 0 s: queued"):
        until_ended(lambda: Progress("Run 1", "queued", 0.0, False), lambda _: None, 0.0, False)
    assert capsys.readouterr() == ("", "")
