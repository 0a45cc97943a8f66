"""A child answers one question after the other, within limits, and is ended when nobody asks any more."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from engines.contract.errors import BusyError, ProblemError
from engines.documents.problems import make_problem
from engines.running.design_variants import opening_of
from engines.running.runner import interactive_process, limited_process
from engines.running.runner.interactive_process import InteractiveProcess, InteractiveProcesses, ProcessKey
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.limited_questions import UnansweredError
from engines.running.runner.protocol import InteractiveQuestion
from engines.running.runner.questions import INTERACTIVE_QUESTIONS, get_interactive_question
from tests.support.toy_engine import toys_offered

LIMITS = ChildLimits(memory_mb=2048.0, cpu_s=60, time_s=60.0)
MINE = {"x": [0.5, 0.5, 0.5]}
QUESTION = {"what": "hardware", "values": {}, "decision": MINE}


def begin(limits: ChildLimits = LIMITS, **opening: Any) -> InteractiveProcess:
    with toys_offered():
        given = {**opening_of(make_problem("toy", {}, {}), {}, [], limits.memory_mb), **opening}
    return InteractiveProcess(
        InteractiveQuestion("designs", json.dumps(given, default=dict).encode(), limits.memory_mb, limits.cpu_s),
        limits,
        "Trying",
    )


@pytest.fixture
def talks() -> Iterator[InteractiveProcesses]:
    found = InteractiveProcesses(most=1, idle_s=60.0)
    yield found
    found.close()


def test_every_talk_can_be_found() -> None:
    assert all(callable(get_interactive_question(name)) for name in INTERACTIVE_QUESTIONS)


def test_the_same_child_answers_again_until_another_person_needs_its_place(talks: InteractiveProcesses) -> None:
    begun = []

    def counted() -> InteractiveProcess:
        begun.append(begin())
        return begun[-1]

    answers = [talks.ask(ProcessKey("ann", "1"), counted, QUESTION)["design"]["energy_j"] for _ in range(3)]
    assert answers == [pytest.approx(1.75)] * 3 and len(begun) == 1
    talks.ask(ProcessKey("bob", "1"), counted, QUESTION)
    assert len(begun) == 2 and begun[0].ended and not begun[1].ended
    talks.close()
    assert begun[1].ended


def test_a_child_that_is_late_is_ended_and_the_next_question_begins_anew(talks: InteractiveProcesses) -> None:
    def frozen() -> InteractiveProcess:
        talk = begin(ChildLimits(2048.0, 60, 0.0))
        os.kill(talk._process.pid, signal.SIGSTOP)  # else it may have answered before anybody looks at the clock
        return talk

    with pytest.raises(UnansweredError, match="Trying took more than"):
        talks.ask(ProcessKey("ann", "1"), frozen, QUESTION)
    assert talks.ask(ProcessKey("ann", "1"), begin, QUESTION)["design"]


def test_a_talk_that_another_ended_before_it_was_asked_begins_anew(talks: InteractiveProcesses) -> None:
    begun: list[InteractiveProcess] = []

    def ended_at_first() -> InteractiveProcess:
        begun.append(begin())
        if len(begun) == 1:
            begun[0].end()
        return begun[-1]

    assert talks.ask(ProcessKey("ann", "1"), ended_at_first, QUESTION)["design"]
    assert len(begun) == 2


def test_a_problem_that_the_child_refuses_is_told(talks: InteractiveProcesses) -> None:
    with toys_offered():
        problem = opening_of(make_problem("toy", {}, {}), {}, [], 2048.0)["problem"]
    with pytest.raises(ProblemError, match="the installed"):
        talks.ask(ProcessKey("ann", "1"), lambda: begin(problem={**problem, "version": 99}), QUESTION)


def test_what_nobody_asks_any_more_is_ended() -> None:
    talks, begun = InteractiveProcesses(idle_s=0.2), []

    def kept() -> InteractiveProcess:
        begun.append(begin())
        return begun[-1]

    talks.ask(ProcessKey("ann", "1"), kept, QUESTION)
    deadline = time.monotonic() + 60
    while not begun[0].ended and time.monotonic() < deadline:
        time.sleep(0.05)
    assert begun[0].ended


def test_others_at_work_are_told(monkeypatch: pytest.MonkeyPatch, talks: InteractiveProcesses) -> None:
    monkeypatch.setattr(limited_process, "_SLOTS", limited_process.FairSlots(slots=0))
    monkeypatch.setattr(interactive_process, "hold_slot", lambda: limited_process.hold_slot(wait_s=0.0))
    with pytest.raises(BusyError):
        talks.ask(ProcessKey("ann", "1"), begin, QUESTION)
