"""The recorded messages are those of the source, and each follows the guide of errors."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tools.error_messages import LIST, PAGE, ErrorMessage, code_page, listing, messages, messages_of

_WAY = "python -m tools.error_messages"
_QUOTED = re.compile(r'"[^"]*"|`[^`]*`')
_EXAMPLE = re.compile(r"\b(?:as in|such as)\b.*$")
# Verbs with which an instruction begins; what is accepted is a value.
_IMPERATIVE = re.compile(
    r"(?:^|[,.;:] (?:or )?)(?:add|allow|ask|choose|check|convert|copy|cut|delete|export|import|install|leave|let|make|measure|move|"
    r"record|register|reload|remove|rename|repair|retire|save|set|sign|split|start|stop|store|subtract|take|train|try|unpack|"
    r"upload|use|wait|write)\b ",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(r";|[.?!] |: (?!\{…\}|Q)")
_HEADLESS = re.compile(r"(?:Of|That|As|Those|Likewise|So many|Who|What)\b")
_DROPPED = re.compile(
    r"\b(?:nobody|somebody|in the way|told|so many|at work|foretold|known by|handed over)\b", re.IGNORECASE
)
_MOST_WORDS = 20


@cache
def _recorded() -> list[ErrorMessage]:
    return list(messages())


def _without_examples(accepted: str) -> str:
    return _EXAMPLE.sub("", _QUOTED.sub("Q", accepted))


def _sentences(message: ErrorMessage) -> list[str]:
    return [each for text in message.sentences for each in re.split(r"(?<=[.?!]) (?=[A-Z{“])", text)]


def test_the_list_is_that_of_the_source() -> None:
    assert LIST.read_text() == listing(_recorded()), f"Run {_WAY}."


def test_the_page_of_codes_is_that_of_the_source() -> None:
    assert PAGE.read_text() == code_page(), f"Run {_WAY}."


def test_accepted_is_a_value_and_neither_advice_nor_explanation() -> None:
    accepted = [(each.file, each.accepted, _without_examples(each.accepted)) for each in _recorded() if each.accepted]
    assert len(accepted) > 800
    assert [each for *each, bare in accepted if _IMPERATIVE.search(bare) or _EXPLANATION.search(bare)] == []


def test_sentences_are_short_and_begin_with_a_subject() -> None:
    sentences = [(each.file, sentence) for each in _recorded() for sentence in _sentences(each)]
    assert [each for each in sentences if len(each[1].split()) > _MOST_WORDS or _HEADLESS.match(each[1])] == []


def test_messages_have_the_terms_of_the_glossary() -> None:
    assert [str(each) for each in _recorded() if _DROPPED.search(str(each))] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('ProblemError("x", 1, "below 1: use less")', "x: must be below 1: use less."),
        ('ProblemError("x", 1, "one", reason="It is full.", remedies=["Use it."])', "x: must be one. It is full. Use it."),
        ('accepted = "old"\naccepted = f"at most {a + 1}"\nProblemError("x", 1, accepted)', "x: must be at most {…}."),
        ('if a:\n    b = "p q"\nelse:\n    b = "r s"\nProblemError("x", 1, b)', "x: must be r s.|x: must be p q."),
        ('TeamError("It is yours.")', "It is yours."),
        ('print("It is yours.")', ""),
    ],
)  # fmt: skip
def test_messages_are_read_from_the_source(source: str, found: str) -> None:
    assert "|".join(map(str, messages_of(source, "a.py"))) == found
