"""Slots for children that answer questions, shared fairly: by persons, and between short questions and long ones."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

# How the names of visitors without an account begin: together they leave a slot to everybody else.
VISITOR = "guest "

# Who asks, for as long as a request lasts; "" for commands and tests, which have no share.
_person: ContextVar[Callable[[], str]] = ContextVar("person", default=str)


@contextmanager
def asking_for(person: Callable[[], str]) -> Iterator[None]:
    """Count the requests inside as requests of the user that `person` returns; it is called only if there is a request."""
    token = _person.set(person)
    try:
        yield
    finally:
        _person.reset(token)


def who_asks() -> str:
    """Return the person of `asking_for`; "" outside of it."""
    return _person.get()()


class AllBusyError(Exception):
    """Other children are at work and none ended in time, or the same person has as many questions waiting as one may."""


@dataclass(frozen=True, eq=False)
class _Ticket:
    person: str
    long: bool

    @property
    def visitor(self) -> bool:
        return self.person.startswith(VISITOR)


class FairSlots:
    """A pool of slots. Each user has at most one; long requests leave one slot to short ones, visitors one to users.

    The one who waited longest is next, among those who may have the slot that is free.

    Args:
        slots: largest number of simultaneous child processes.
        waiting_each: how many questions of one person, or of all visitors, may wait: each holds a thread of the server.
    """

    def __init__(self, slots: int = 2, waiting_each: int = 2) -> None:
        self._slots, self._waiting_each = slots, waiting_each
        self._changed = threading.Condition()
        self._waiting: list[_Ticket] = []
        self._held: list[_Ticket] = []

    @contextmanager
    def slot(self, person: str, long: bool, wait_s: float) -> Iterator[None]:
        """Hold a slot for the duration of a request.

        Raises:
            AllBusyError: none came free within `wait_s` seconds, or too many questions of `person` wait already.
        """
        ticket = _Ticket(person, long)
        with self._changed:
            self._take(ticket, time.monotonic() + wait_s)
        try:
            yield
        finally:
            with self._changed:
                self._held.remove(ticket)
                self._changed.notify_all()

    def _take(self, ticket: _Ticket, deadline: float) -> None:
        alike = ["visitors" if each.visitor else each.person for each in (*self._waiting, ticket)]
        if ticket.person and Counter(alike[:-1])[alike[-1]] >= self._waiting_each:
            raise AllBusyError
        self._waiting.append(ticket)
        try:
            while self._next() is not ticket:
                left_s = deadline - time.monotonic()
                if left_s <= 0 or not self._changed.wait(left_s):
                    if self._next() is ticket:
                        break
                    raise AllBusyError
            self._held.append(ticket)
        finally:
            self._waiting.remove(ticket)
            self._changed.notify_all()

    def _next(self) -> _Ticket | None:
        """Return the waiting caller that may begin now."""
        if len(self._held) >= self._slots:
            return None
        persons = {each.person for each in self._held if each.person}
        most = max(1, self._slots - 1)
        long, visitors = (sum(getattr(each, kind) for each in self._held) for kind in ("long", "visitor"))
        for ticket in self._waiting:
            waits = (ticket.long and long >= most) or (ticket.visitor and visitors >= most)
            if ticket.person not in persons and not waits:
                return ticket
        return None
