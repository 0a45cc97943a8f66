"""The lease on a run, and the fence that every write of a keeper begins with. All times are the database's clock.

A lease that expired makes a run takeable; its former holder may still write until a person takes the run, because taking it
raises the attempt number and the fence compares that number. So two keepers can never both write.

A clock may be set back. What was written before lies ahead of it then, and would hold its row for as long as the clock was set
back: whoever sweeps brings such times back to what they can be by the clock of now (`bring_back`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.db.models import DateTimeField, ExpressionWrapper, Model, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from webapp.runs.errors import FencedOutError
from webapp.runs.models import Run

LEASE_S = 10.0
RENEW_S = 2.0
_TRY_AGAIN_S = 0.3
# The last is what a connection meets whose transaction stood still for too long (`webapp.base.database_waits`).
_AWAY = (OperationalError, InterfaceError, InternalError)
# Clocks that are kept right go back by less, and nobody needs to hear of it.
_SLACK_S = 2.0

Value = TypeVar("Value")
Row = TypeVar("Row", bound=Model)


def from_now(seconds: float) -> ExpressionWrapper[CombinedExpression]:
    """Return the database's clock plus `seconds`, computed by the database."""
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())


def bring_back(rows: QuerySet[Row], field: str, seconds: float) -> int:
    """Let `field`, a time that is written as now and at most `seconds`, be that where it lies further ahead.

    A lease that was renewed under another clock so runs out as one that was renewed just now: a holder that lives renews it
    and notices nothing, and what one left that died is free soon.

    Args:
        rows: rows to search.
        field: field of their times.
        seconds: the most that is ever added to the clock, as for `from_now`.

    Returns:
        how many there were.
    """
    ahead = rows.filter(**{f"{field}__gt": from_now(seconds + _SLACK_S)})
    if not ahead.exists():  # a plain read: this is asked again and again, and SQLite has one write lock
        return 0
    return ahead.update(**{field: from_now(seconds)})


@dataclass(frozen=True)
class FencingToken:
    """The right of one attempt to write to its run."""

    run_id: int
    attempt: int

    @contextmanager
    def transaction(self, **fields: Any) -> Iterator[None]:
        """Open a transaction whose first statement renews the lease and sets `fields` of the run.

        Because that statement locks the row, a claim waits until the transaction ends; because it names the attempt, a
        keeper that lost the run changes nothing.

        Raises:
            FencedOutError: the run has another attempt or is no longer running.
        """
        with transaction.atomic():
            self._update(lease_expires=from_now(LEASE_S), **fields)
            yield

    def renew(self, **fields: Any) -> None:
        """Extend the lease and set `fields` of the run. Raises `FencedOutError` as `transaction` does."""
        self._update(lease_expires=from_now(LEASE_S), **fields)

    def end(self, **fields: Any) -> None:
        """Release the lease and set `fields` (including the status) in one statement.

        Raises:
            FencedOutError: as `transaction` does.
        """
        self._update(lease_owner="", lease_expires=None, **fields)

    def stop_wished(self) -> bool:
        """Return whether people want the run to stop.

        Raises:
            FencedOutError: the run has another attempt or is no longer running.
        """
        row = Run.objects.filter(pk=self.run_id).values_list("attempt", "status", "wish").first()
        if row is None or row[:2] != (self.attempt, Run.Status.RUNNING):
            raise FencedOutError(self.run_id, self.attempt)
        return bool(row[2] == Run.Wish.STOP)

    def _update(self, **fields: Any) -> None:
        holds = Run.objects.filter(pk=self.run_id, attempt=self.attempt, status=Run.Status.RUNNING)
        if not holds.update(**fields):
            raise FencedOutError(self.run_id, self.attempt)


def persistently(store: Callable[[], Value]) -> Value:
    """Return `store()`, repeated while the database is away, for as long as the lease may still be ours.

    Stores are numbered and idempotent, so one whose commit succeeded but whose answer got lost does no harm.

    Raises:
        OperationalError, InterfaceError, InternalError: the database stayed away, or a transaction is open that cannot be
            repeated here.
    """
    give_up = time.monotonic() + LEASE_S
    while True:
        try:
            return store()
        except _AWAY:
            if time.monotonic() >= give_up or connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(_TRY_AGAIN_S)
