"""The question of `visible`, for what is asked every second by everybody who looks on: its SQL is written once per process.

Django writes the SQL of a query anew each time, which takes ten times as long as answering it. The rule who sees what stays
where it is: the text is that of `visible`, with another user and another number filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import QuerySet

from webapp.teams.visibility import NotVisible, Principal, known, visible

# No user and no row has these numbers; they mark the places to fill in.
_USER, _ROW = -1_000_001, -1_000_002


class PreparedLookup:
    """One row that a principal may see, by its number, as a tuple of columns.

    Args:
        rows: the rows to look among, as for `visible`; called once.
        columns: names of fields whose values every database answers as plain numbers and texts.
    """

    def __init__(self, rows: Callable[[], QuerySet[Any]], columns: Sequence[str]) -> None:
        self._rows, self._columns = rows, tuple(columns)
        self._written: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def one(self, principal: Principal, number: int | str) -> tuple[Any, ...]:
        """The columns of row `number`.

        Raises:
            NotVisible: there is none, or `principal` may not see it; the two cannot be told apart.
        """
        if not known(principal):
            raise NotVisible("There is nothing here for people who are not signed in.")
        sql, places = self._written.get(connection.vendor) or self._write()
        try:
            given = {_USER: int(principal.pk or 0), _ROW: int(number)}
            with connection.cursor() as cursor:
                cursor.execute(sql, [given.get(value, value) for value in places])
                found = cursor.fetchone()
        except (ValueError, OverflowError):
            found = None
        if found is None:
            raise NotVisible(f"There is no {self._rows().model._meta.verbose_name} {number} here.")
        return tuple(found)

    def _write(self) -> tuple[str, tuple[Any, ...]]:
        somebody = get_user_model()(pk=_USER, is_active=True)
        asked = visible(somebody, self._rows()).filter(pk=_ROW).order_by().values_list(*self._columns)
        sql, places = asked.query.get_compiler(connection=connection).as_sql()
        if sorted(value for value in places if value in (_USER, _ROW)) != sorted((_USER, _ROW)):
            raise ValueError(f"The question must name its user and its row once each. Got {places}.")
        self._written[connection.vendor] = sql, tuple(places)
        return self._written[connection.vendor]
