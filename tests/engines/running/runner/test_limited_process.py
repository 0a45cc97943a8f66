from __future__ import annotations

from contextlib import ExitStack

import pytest

from engines.contract.errors import BusyError
from engines.running.runner import limited_process
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.limited_questions import plan_in_child
from engines.running.runner.readers import READERS
from tests.engines.running.runner.cases import unloaded


def test_others_at_work_are_told_with_a_time_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = limited_process.FairSlots(slots=0)
    monkeypatch.setattr(limited_process, "_SLOTS", slots)
    with pytest.raises(BusyError, match="Try again in 5 s") as caught:
        plan_in_child(unloaded(), ChildLimits(time_s=0.0))
    assert caught.value.retry_after_s == 5


def test_only_so_many_files_are_read_at_a_time() -> None:
    with ExitStack() as held:
        for _ in range(2):
            held.enter_context(limited_process._SLOTS.slot("", long=False, wait_s=0.0))
        with pytest.raises(BusyError, match="Try again in 5 s"):
            read_in_child(next(iter(READERS)), b"", "f", limits=ChildLimits(time_s=0.05))
