"""Which addresses are answered past Dash and Flask: what is asked for every second, of which they would be half of the price."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_answers: dict[str, Callable[[str, Mapping[str, str]], str]] = {}


def answer_directly(prefix: str, answer: Callable[[str, Mapping[str, str]], str]) -> None:
    """Answer GET requests below `prefix` by `answer`, for people who are signed in.

    Args:
        prefix: with a slash at both ends.
        answer: gets the rest of the path and the query, and returns JSON. It may raise `Http404`.
    """
    _answers[prefix.lstrip("/")] = answer


def is_direct(path: str) -> bool:
    """Return whether a path, without its leading slash, is answered directly."""
    return _prefix(path) in _answers


def direct_answer(path: str, query: Mapping[str, str]) -> str:
    """Return the JSON for a path that `is_direct`.

    Raises:
        Http404: there is nothing at the path.
    """
    prefix = _prefix(path)
    return _answers[prefix](path.removeprefix(prefix), query)


def _prefix(path: str) -> str:
    return path[: path.find("/") + 1]
