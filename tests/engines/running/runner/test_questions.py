"""A child answers questions about documents, and what goes wrong there is told."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.limited_questions import UnansweredError
from engines.running.runner.questions import QUESTIONS, ask_child, get_question
from engines.workloads.builtins import builtin_networks
from hardware.soc.loader import builtin_socs

LIMITS = ChildLimits(memory_mb=2048.0, cpu_s=20, time_s=60.0)


def survey(network: str = "resnet50") -> dict[str, object]:
    devices = [("x86-server", builtin_socs()["x86-server"])]
    return {"network": builtin_networks()[network], "devices": devices, "calibrations": []}


def test_an_answer_is_the_same_as_in_this_process() -> None:
    assert ask_child("survey", survey(), "The survey", LIMITS) == get_question("survey")(survey())


def test_every_question_can_be_found() -> None:
    assert all(callable(get_question(name)) for name in QUESTIONS)


def test_what_is_refused_and_what_takes_too_long_is_told() -> None:
    with pytest.raises(ProblemError) as caught:
        ask_child("survey", {**survey(), "network": {"schema": "soc/1"}}, "The survey", LIMITS)
    assert caught.value.field == "schema"
    with pytest.raises(UnansweredError, match="The survey took more than 20 s"):
        ask_child("survey", survey(), "The survey", ChildLimits(cpu_s=20, time_s=0.0))
