"""Locks of rows: changes to what belongs to one project, account or item wait for each other, so that no two exceed a limit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models, transaction


@contextmanager
def row_lock(model: type[models.Model], number: Any) -> Iterator[None]:
    """Run the block in a transaction that other blocks with the same row wait for; SQLite has one writer anyway.

    Args:
        model: model of the row.
        number: its primary key; without such a row no block waits.
    """
    with transaction.atomic():
        # The key is not locked, so that rows that refer to this one can still be inserted.
        model._base_manager.select_for_update(no_key=True).filter(pk=number).values_list("pk").first()
        yield


def account_lock(number: int) -> AbstractContextManager[None]:
    """Return the lock of an account."""
    return row_lock(get_user_model(), number)
