"""Columns that grow at their end."""

from __future__ import annotations

import numpy as np

from frontend.designs.growing_columns import Columns, GrowingColumns


def part(first: int, count: int, word: str = "search") -> Columns:
    return {"value": np.arange(first, first + count, dtype=float), "origin": np.full(count, word)}


def test_what_was_handed_out_stays_while_more_is_appended() -> None:
    room, some = GrowingColumns().extended(part(0, 0), part(0, 4))
    room, more = room.extended(some, part(4, 3))
    after, most = room.extended(more, part(7, 1, "a longer word"))
    assert after is room
    assert some["value"].tolist() == [0, 1, 2, 3]
    assert more["value"].tolist() == list(range(7)) and set(more["origin"]) == {"search"}
    assert most["value"].tolist() == list(range(8)) and most["origin"][-1] == "a longer word"


def test_new_rows_are_written_where_there_is_room() -> None:
    room, some = GrowingColumns().extended(part(0, 0), part(0, 100))
    room, more = room.extended(some, part(100, 1))
    room, most = room.extended(more, part(101, 1))
    assert np.shares_memory(more["value"], most["value"]) and not np.shares_memory(some["value"], more["value"])


def test_two_who_extend_the_same_columns_do_not_overwrite_each_other() -> None:
    room, some = GrowingColumns().extended(part(0, 0), part(0, 4))
    room, some = room.extended(some, part(4, 1))
    _, one = room.extended(some, part(100, 1))
    _, other = room.extended(some, part(200, 1))
    assert (one["value"][-1], other["value"][-1]) == (100, 200)
