"""A cache with a bound on count and memory that drops the least recently used value; threads of a process share it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """A cache of the values used last: at most `most`, and as many as fit into `capacity_bytes`. The newest always stays.

    A key contains everything that its value depends on, so a cached value never becomes outdated. For a value that does, call
    `revised`, which decides by the value itself.

    Args:
        most: largest number of values.
        capacity_bytes: largest memory of all values together, in bytes; 0 for no bound.
        bytes_of: value -> its memory in bytes; called once per value, by `put`.
    """

    def __init__(self, most: int, capacity_bytes: int = 0, bytes_of: Callable[[Value], int] = lambda value: 0) -> None:
        self._most, self._capacity_bytes, self._bytes_of = most, capacity_bytes, bytes_of
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._bytes = 0
        self._turns: dict[Key, tuple[threading.Lock, int]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key) -> Value | None:
        """Return the value of `key`, or None if the cache does not hold it."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: Key, value: Value) -> Value:
        """Store `value` and return it."""
        size = self._bytes_of(value)
        with self._lock:
            self._bytes += size - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = (value, size)
            while len(self._kept) > 1 and self._is_full():
                self._bytes -= self._kept.popitem(last=False)[1][1]
        return value

    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of `key`, made by `make` if the cache does not hold it; one thread at a time makes it.

        A value may be None. If `make` raises, nothing is stored and the next call tries again.
        """
        if key not in self._kept:
            with self._turn(key):
                if key not in self._kept:
                    return self.put(key, make())
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found[0]
        return self.made(key, make)  # it was dropped a moment ago

    def revised(self, key: Key, revise: Callable[[Value | None], Value]) -> Value:
        """Return and store the result of `revise` on the value of `key` (None if absent); one call at a time per key."""
        with self._turn(key):
            return self.put(key, revise(self.get(key)))

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _is_full(self) -> bool:
        return len(self._kept) > self._most or 0 < self._capacity_bytes < self._bytes

    @contextmanager
    def _turn(self, key: Key) -> Iterator[None]:
        """Let one thread at a time work on `key`; the last thread that waits for the lock of a key removes it."""
        with self._lock:
            turn, waiting = self._turns.get(key, (threading.Lock(), 0))
            self._turns[key] = (turn, waiting + 1)
        try:
            with turn:
                yield
        finally:
            with self._lock:
                turn, waiting = self._turns.pop(key)
                if waiting > 1:
                    self._turns[key] = (turn, waiting - 1)
