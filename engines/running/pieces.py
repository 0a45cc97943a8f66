"""The common parts of executors that send pieces of a batch to other processes: a first piece and one shared value."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Out = TypeVar("Out")


def begun_in_place(
    function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item], below_s: float
) -> tuple[list[Out], Sequence[Item], float]:
    """Return the first results of a batch, what is left for others, and the seconds that one piece takes.

    The first piece is done here and timed; so are all where the rest would take less than `below_s`, for sending takes time, too.
    """
    if not batch:
        return [], (), 0.0
    start = time.perf_counter()
    done = [function(shared, batch[0])]
    piece_s, rest = time.perf_counter() - start, batch[1:]
    if piece_s * len(rest) < below_s:
        return [*done, *(function(shared, item) for item in rest)], (), piece_s
    return done, rest, piece_s


def packed(shared: object) -> tuple[bytes, bytes]:
    """Return a shared value as bytes, and the key under which `worked` keeps it."""
    data = pickle.dumps(shared, protocol=pickle.HIGHEST_PROTOCOL)
    return hashlib.blake2b(data, digest_size=16).digest(), data


_kept: dict[bytes, Any] = {}


def worked(function: Callable[[Any, Any], Any], key: bytes, fetch: Callable[[], bytes], items: list[Any]) -> list[Any]:
    """Do pieces, in a worker. The shared value of the last batch is kept: its pieces fetch and unpack it once."""
    if key not in _kept:
        data = fetch()
        _kept.clear()
        _kept[key] = pickle.loads(data)
    shared = _kept[key]
    return [function(shared, item) for item in items]
