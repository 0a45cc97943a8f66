"""Slots are shared fairly: by persons, and between short questions and long ones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from engines.running.runner.slots import AllBusyError, FairSlots, asking_for, who_asks


def at_once(slots: FairSlots, person: str, long: bool = False) -> ExitStack:
    """A slot held until the stack is closed; refused unless it is free now."""
    held = ExitStack()
    held.enter_context(slots.slot(person, long, 0.0))
    return held


def waiting(slots: FairSlots, person: str, note: Callable[[str], None]) -> threading.Thread:
    """A thread that waits for a slot and tells when it had it."""
    before = len(slots._waiting)

    def wait() -> None:
        with slots.slot(person, False, 20.0):
            note(person)

    thread = threading.Thread(target=wait)
    thread.start()
    while len(slots._waiting) == before:  # until it stands in the queue
        pass
    return thread


def test_a_person_has_one_slot_and_leaves_the_other_to_others() -> None:
    slots = FairSlots()
    with at_once(slots, "ann"):
        with pytest.raises(AllBusyError):
            at_once(slots, "ann")
        with at_once(slots, "eve"), pytest.raises(AllBusyError):
            at_once(slots, "vic")
    at_once(slots, "ann").close()


def test_what_takes_long_leaves_a_slot_to_what_does_not() -> None:
    slots = FairSlots()
    with at_once(slots, "ann", long=True):
        with pytest.raises(AllBusyError):
            at_once(slots, "eve", long=True)
        at_once(slots, "eve").close()


def test_commands_have_no_share() -> None:
    slots = FairSlots()
    with at_once(slots, ""), at_once(slots, ""), pytest.raises(AllBusyError):
        at_once(slots, "")


def test_who_asks_for_much_does_not_keep_others_waiting() -> None:
    slots, order = FairSlots(), []
    first, second = at_once(slots, "ann"), at_once(slots, "vic")
    threads = [waiting(slots, person, order.append) for person in ("ann", "ann", "eve")]
    second.close()  # ann was first in the queue, and has a slot already
    threads[2].join(60)
    assert order == ["eve"]
    first.close()
    for thread in threads:
        thread.join(60)
    assert order == ["eve", "ann", "ann"]


def test_more_questions_of_one_person_than_may_wait_are_refused_at_once() -> None:
    slots, order = FairSlots(waiting_each=1), []
    held = at_once(slots, "ann")
    thread = waiting(slots, "ann", order.append)
    with pytest.raises(AllBusyError), slots.slot("ann", False, 60.0):
        pass
    held.close()
    thread.join(60)
    assert order == ["ann"]


def test_it_is_known_who_asks() -> None:
    assert who_asks() == ""
    with asking_for(lambda: "ann"):
        assert who_asks() == "ann"
    assert who_asks() == ""


def test_guests_leave_a_slot_to_people_and_few_of_them_wait() -> None:
    slots, order = FairSlots(waiting_each=1), []
    with at_once(slots, "guest a"):
        thread = waiting(slots, "guest b", order.append)
        with pytest.raises(AllBusyError), slots.slot("guest c", False, 60.0):
            pass
        at_once(slots, "ann").close()
        assert order == []
    thread.join(60)
    assert order == ["guest b"]
