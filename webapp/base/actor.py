"""Actor of the present request or command, and its means: set around requests and commands, read when a change is recorded.

What nobody asked for, such as the steps that a worker stores, has no acting person and is not written down.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.utils.functional import LazyObject, empty

BROWSER, API, COMMAND = "browser", "api", "command"


@dataclass
class Actor:
    """The user or process that acts.

    Attributes:
        means: `BROWSER`, `API` or `COMMAND`; called when it is wanted, as authentication may come later.
        person: the account; an anonymous one or None where there is none.
        token: name of the request's token; "" without one.
        request_id: identifier of the request; "" outside of a request.
    """

    means: Callable[[], str]
    person: Callable[[], Any]
    token: Callable[[], str] = str
    request_id: str = ""

    def account(self) -> Any:
        """Return the account that acts; None where nobody is signed in."""
        found = self.person()
        return found if getattr(found, "pk", None) else None

    def known_key(self) -> Any:
        """Return the key of the account where it has been looked up already; None else. Asks the database nothing."""
        found = self.person()
        if issubclass(type(found), LazyObject) and found._wrapped is empty:
            return None
        return getattr(found, "pk", None)

    def name(self) -> str:
        """Return the name of the account; on the command line without one, that of the operating system's user."""
        found = self.account()
        if found is not None:
            return str(found.get_username())
        return _system_name() if self.means() == COMMAND else ""


_acting: ContextVar[Actor | None] = ContextVar("acting", default=None)


@contextmanager
def acting(who: Actor) -> Iterator[Actor]:
    """Make `who` the actor within the block."""
    token = _acting.set(who)
    try:
        yield who
    finally:
        _acting.reset(token)


def who_acts() -> Actor | None:
    """Return who acts at present; None outside of a request or command."""
    return _acting.get()


@contextmanager
def command_line() -> Iterator[Actor]:
    """Make a command of `manage.py` the actor within the block; `name_person` says for whom."""
    with acting(Actor(lambda: COMMAND, lambda: None)) as who:
        yield who


def name_person(person: Any) -> None:
    """Make the current command act for `person`; without effect elsewhere."""
    who = who_acts()
    if who is not None and who.means() == COMMAND:
        who.person = lambda: person


def _system_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without an entry in the password file
        return ""
