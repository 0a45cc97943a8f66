"""Turns of those who change what belongs to one project, person or thing: on PostgreSQL two of them else pass a limit at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models, transaction


@contextmanager
def in_turn(model: type[models.Model], number: Any) -> Iterator[None]:
    """Run the block in a transaction that others with the same row wait for; SQLite has one writer anyway.

    Args:
        model: of the row.
        number: its primary key; nobody waits for a row that is not there.
    """
    with transaction.atomic():
        # What refers to the row may still be made meanwhile: its key is not locked.
        model._base_manager.select_for_update(no_key=True).filter(pk=number).values_list("pk").first()
        yield


def person_in_turn(number: int) -> Any:
    """Return `in_turn` of an account."""
    return in_turn(get_user_model(), number)
