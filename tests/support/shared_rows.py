"""Rows that the tests of a module share: made once, seen by each within a transaction of its own, gone with the last."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django.db import transaction

Made = TypeVar("Made")


@contextlib.contextmanager
def shared_rows(blocker: Any, make: Callable[[], Made]) -> Iterator[Callable[[], Made]]:
    """What `make` stores stays until the block ends; the function gives each test objects that no other test changes.

    Args:
        blocker: pytest-django's `django_db_blocker`.
        make: stores rows and gives the objects that stand for them.
    """
    with blocker.unblock():
        block = transaction.atomic()
        block.__enter__()
        made = make()
    try:
        yield lambda: copy.deepcopy(made)
    finally:
        with blocker.unblock():
            transaction.set_rollback(True)
            block.__exit__(None, None, None)
