"""The cache of what was asked for last."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from engines.contract.bounded_cache import BoundedCache


def test_those_who_ask_at_once_wait_for_one_who_makes_it() -> None:
    texts, made, together = BoundedCache[str, str](10), list[int](), threading.Barrier(8)

    def make() -> str:
        made.append(1)
        return "answer"

    def ask(_number: int) -> str:
        together.wait()
        return texts.made("key", make)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {"answer"}
    assert made == [1]


def test_the_oldest_are_forgotten_beyond_the_capacity_and_the_newest_stays() -> None:
    texts, made = BoundedCache[str, str](10, 10, len), list[str]()

    def answer(key: str) -> str:
        return texts.made(key, lambda: made.append(key) or key * 6)  # type: ignore[func-returns-value]

    for key in ("a", "b", "a", "b", "b"):
        assert answer(key) == key * 6
    assert made == ["a", "b", "a", "b"]
    assert texts.made("long", lambda: "c" * 50) == texts.made("long", lambda: "") == "c" * 50


def test_who_fails_leaves_the_next_one_to_try() -> None:
    texts = BoundedCache[str, str](10)
    with pytest.raises(ZeroDivisionError):
        texts.made("key", lambda: str(1 / 0))
    assert texts.made("key", lambda: "there") == "there"


def test_the_value_asked_for_longest_ago_is_forgotten_first() -> None:
    kept: BoundedCache[str, int] = BoundedCache(2)
    for number, key in enumerate("abac"):
        if kept.get(key) is None:
            kept.put(key, number)
    assert [kept.get(key) for key in "abc"] == [0, None, 3] and len(kept) == 2
    kept.clear()
    assert kept.get("a") is None and len(kept) == 0


def test_nothing_is_a_value_that_is_made_once() -> None:
    kept, asked = BoundedCache[str, None](2), list[int]()
    assert kept.made("a", lambda: asked.append(1)) is kept.made("a", lambda: asked.append(2)) is None
    assert asked == [1]


def test_a_value_is_revised_by_one_after_the_other() -> None:
    kept, together = BoundedCache[str, int](2, 100, lambda value: value), threading.Barrier(8)

    def add(_number: int) -> int:
        together.wait()
        return kept.revised("sum", lambda before: (before or 0) + 1)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(add, range(8))) == list(range(1, 9))
    assert not kept._turns and kept._bytes == 8
