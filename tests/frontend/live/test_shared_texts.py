"""Answers that are the same for everybody."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontend.live.shared_texts import SharedTexts


def test_those_who_ask_at_once_wait_for_one_who_makes_it() -> None:
    texts, made, together = SharedTexts(1000), [], threading.Barrier(8)

    def make() -> str:
        made.append(1)
        return "answer"

    def ask(_number: int) -> str:
        together.wait()
        return texts.get("key", make)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {"answer"}
    assert made == [1]


def test_the_oldest_are_forgotten_beyond_the_capacity_and_the_newest_stays() -> None:
    texts, made = SharedTexts(10), []

    def answer(key: str) -> str:
        return texts.get(key, lambda: made.append(key) or key * 6)  # type: ignore[func-returns-value]

    for key in ("a", "b", "a", "b", "b"):
        assert answer(key) == key * 6
    assert made == ["a", "b", "a", "b"]
    assert texts.get("long", lambda: "c" * 50) == texts.get("long", lambda: "") == "c" * 50


def test_who_fails_leaves_the_next_one_to_try() -> None:
    texts = SharedTexts(10)
    with pytest.raises(ZeroDivisionError):
        texts.get("key", lambda: str(1 / 0))
    assert texts.get("key", lambda: "there") == "there"
