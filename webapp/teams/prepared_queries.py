"""Questions that are asked every second by everybody who looks on: their SQL is written once per process.

Django writes the SQL of a query again each time, which takes ten times as long as answering it. The rule who sees what stays
where it is: the text is that of `visible`, with another user and another number filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import QuerySet

from webapp.teams.permissions import NotVisible, Principal, limits_of, shared_with, somebody
from webapp.teams.visibility import visible

# No row has such a number or such a text; each marks a place to fill in.
_FIRST_NUMBER, _TEXT = -1_000_001, "\x01place {}"


class PreparedQuery:
    """Rows by whole numbers and texts, as tuples of columns.

    Args:
        ask: the rows in question, as `values_list` of columns that every database answers as plain numbers, texts or bytes;
            called once, with a mark in the place of each value. It must use each of them exactly once.
        kinds: kinds of the values that `ask` takes.
        large: whether rows hold megabytes of bytes: PostgreSQL then sends them as they are, and not each byte as two letters.
    """

    def __init__(
        self, ask: Callable[..., QuerySet[Any, Any]], *kinds: type[int] | type[str], large: bool = False
    ) -> None:
        self._ask, self._large = ask, large
        self._marks = tuple(_FIRST_NUMBER - at if kind is int else _TEXT.format(at) for at, kind in enumerate(kinds))
        self._written: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def rows(self, *values: int | str) -> list[tuple[Any, ...]]:
        """Return the rows for these values."""
        sql, places = self._written.get(connection.vendor) or self._write()
        given = dict(zip(self._marks, values, strict=True))
        filled = [given.get(place, place) for place in places]
        if self._large and connection.vendor == "postgresql":
            return _binary_rows(sql, filled)
        with connection.cursor() as cursor:
            cursor.execute(sql, filled)
            return list(cursor.fetchall())

    def _write(self) -> tuple[str, tuple[Any, ...]]:
        query = self._ask(*self._marks).query
        sql, parameters = query.get_compiler(connection=connection).as_sql()
        places = tuple(parameters)
        if any(places.count(mark) != 1 for mark in self._marks):
            raise ValueError(f"The question must name each of its {len(self._marks)} values once. Got {places}.")
        self._written[connection.vendor] = sql, places
        return self._written[connection.vendor]


def _binary_rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows: Django's own cursors fill values in themselves and get all as text."""
    from psycopg import Cursor

    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        return list(cursor.execute(sql, values, binary=True).fetchall())


class PreparedLookup:
    """One row that a principal may see, by its number, as a tuple of columns.

    Args:
        rows: the rows to look among, as for `visible`; called once.
        columns: names of fields, as for `PreparedQuery`.
    """

    def __init__(self, rows: Callable[[], QuerySet[Any]], columns: Sequence[str]) -> None:
        self._rows, self._columns = rows, tuple(columns)
        self._query = PreparedQuery(self._ask, int, int)

    def _ask(self, user: int, row: int) -> QuerySet[Any, Any]:
        somebody = get_user_model()(pk=user, is_active=True)
        return visible(somebody, self._rows()).filter(pk=row).order_by().values_list(*self._columns)

    def one(self, principal: Principal, number: int | str) -> tuple[Any, ...]:
        """Return the columns of row `number`.

        Raises:
            NotVisible: there is none, or `principal` may not see it; the two cannot be distinguished.
        """
        if not somebody(principal):
            raise NotVisible("Only users who are signed in can see this. Sign in first.")
        try:
            found = self._rows_for(principal, int(number))
        except (ValueError, OverflowError):
            found = []
        if not found:
            raise NotVisible(f"There is no {self._rows().model._meta.verbose_name} {number} here.")
        return found[0]

    def _rows_for(self, principal: Principal, number: int) -> list[tuple[Any, ...]]:
        if (
            shared_with(principal) or limits_of(principal) is not None
        ):  # few ask so: their question is written each time
            return list(visible(principal, self._rows()).filter(pk=number).order_by().values_list(*self._columns))
        return self._query.rows(int(principal.pk or 0), number)
