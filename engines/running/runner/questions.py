"""Questions about documents that a child process answers, with limits, as what people bring may take long."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from engines.contract.errors import BusyError
from engines.running.runner.limited_process import AllBusyError, ChildLimits, answer_of, refusal
from engines.running.runner.limited_questions import UnansweredError
from engines.running.runner.protocol import Answer, Ask

Question = Callable[[Mapping[str, Any]], Mapping[str, Any]]

# Name -> dotted path of what answers: JSON-able data in, JSON-able data out. A child imports the one that it needs.
QUESTIONS: Mapping[str, str] = {
    "survey": "engines.survey.survey:answer",
    "language_survey": "engines.survey.language.survey:answer_language",
    "language_coefficients": "engines.survey.language.survey:answer_coefficients",
    "runnable": "engines.running.runner.runnables:answer",
    "cost_models": "engines.running.cost_models:answer",
    "unsure": "engines.cost.profiles.measured_unsure:answer",
}
# The same of talks: what opens one gives what answers its questions.
INTERACTIVE_QUESTIONS: Mapping[str, str] = {"designs": "engines.running.design_variants:open_designs"}


def get_interactive_question(name: str) -> Callable[[Mapping[str, Any]], Question]:
    """Return the function that opens the interactive process `name`.

    Raises:
        KeyError: there is none.
    """
    module, _, function = INTERACTIVE_QUESTIONS[name].partition(":")
    found: Callable[[Mapping[str, Any]], Question] = getattr(import_module(module), function)
    return found


def get_question(name: str) -> Question:
    """Return the function that answers the question of that name.

    Raises:
        KeyError: there is none.
    """
    module, _, function = QUESTIONS[name].partition(":")
    found: Question = getattr(import_module(module), function)
    return found


def ask_child(question: str, content: Mapping[str, Any], words: str, limits: ChildLimits) -> Any:
    """Return the answer to one of `QUESTIONS`, by a child process; JSON-able data.

    Args:
        question: name of the question.
        content: JSON-able data that it is about.
        words: name of the child's task in messages: "The survey".
        limits: bounds of the child process.

    Raises:
        BusyError: others are at work.
        ProblemError: a document is refused.
        UnansweredError: the child took more than the limits, or failed in a way that nobody foresaw.
    """
    ask = Ask(question, json.dumps(content, default=dict).encode(), limits.memory_mb, limits.cpu_s)
    try:
        found, ending = answer_of((ask,), Answer, limits)
    except AllBusyError as error:
        raise BusyError from error
    if found is None:
        raise refusal(ending, words, limits, UnansweredError)
    return json.loads(found.content)
