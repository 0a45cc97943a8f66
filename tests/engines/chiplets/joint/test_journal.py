"""A search that goes on from a journal finds what one that was never stopped does, and searches nothing twice."""

from __future__ import annotations

import msgpack

from engines.chiplets.joint.journal import Extension, Journal, extension_of
from engines.chiplets.problem.decision import Placement
from engines.chiplets.windows.options import WindowOption


def test_what_is_known_is_told_in_order_and_what_is_noted_comes_after() -> None:
    journal = Journal([{"n": 1}, {"n": 2}])
    assert [journal.known(), journal.known(), journal.known()] == [{"n": 1}, {"n": 2}, None]
    journal.note({"n": 3})
    assert journal.known() is None
    assert [entry["n"] for entry in journal.entries] == [1, 2, 3]


def test_an_entry_holds_of_an_extension_what_the_search_went_on_with() -> None:
    options = [WindowOption((Placement(0, 0, (2,), (chiplet,)),), 0.1 * chiplet, 1 / 3) for chiplet in range(3)]
    entry = msgpack.unpackb(msgpack.packb(Extension(options, 12, ("window 1",)).entry(options[1:])))
    assert extension_of(entry) == Extension(tuple(options[1:]), 12, ("window 1",))
    assert extension_of(Extension(None, 5).entry([])) == Extension(None, 5)
