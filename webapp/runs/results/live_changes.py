"""Changes of a live run, for pages that ask every second: one query of a few columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from webapp.runs.models import LogLine, Run
from webapp.teams.prepared_queries import PreparedLookup
from webapp.teams.visibility import Principal


@dataclass(frozen=True)
class FollowedRun:
    """A run as a poll tells of it; the fields are those of `Run`.

    Attributes:
        last_log: number of the newest line of its log; 0 where there is none.
    """

    pk: int
    status: str
    wish: str
    outcome: str
    attempt: int
    step_number: int
    evaluations: int
    fraction: float
    design_count: int
    last_log: int

    @property
    def active(self) -> bool:
        """Whether it waits for a worker or is being worked on."""
        return self.status in (Run.Status.QUEUED, Run.Status.RUNNING)


def get_followed_run(principal: Principal, run_id: int | str) -> FollowedRun:
    """Return one run.

    Raises:
        NotVisible: there is none of that number, or `principal` may not see it.
    """
    found = dict(zip(_COLUMNS, _LOOKUP.one(principal, run_id), strict=True))
    return FollowedRun(**found | {"last_log": found["last_log"] or 0})


def _rows() -> QuerySet[Any]:
    newest = LogLine.objects.filter(run=OuterRef("pk")).order_by("-number").values("number")[:1]
    return Run.objects.annotate(last_log=Subquery(newest))


_COLUMNS = tuple(each.name for each in fields(FollowedRun))
_LOOKUP = PreparedLookup(_rows, _COLUMNS)
