"""The order of the queue among runs that may be claimed.

Order: priority; then a run whose worker went away; then the project, and within it the owner, with the fewest runs at
work, and of those the project and the owner that were served longest ago (so that one who queues a hundred does not keep
the others waiting, with a single worker too); then who waited longest.

Turns are decided among the few who have runs that wait, not among the runs: one look through an index tells who they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db.models import Min, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now

from webapp.runs.models import Run
from webapp.teams.models import Project

Turn = tuple[int, int, bool, float, bool, float, datetime]


@dataclass(frozen=True)
class WaitingOwner:
    """A person in a project with runs of a priority that wait; `since` is when the first of them was queued."""

    priority: int
    project: int
    owner: int
    since: datetime


@dataclass(frozen=True)
class ServiceHistory:
    """The service history of projects and owners: active runs, and the start of the last one."""

    running_of_project: Mapping[int, int]
    running_of_owner: Mapping[int, int]
    project_began: Mapping[int, datetime | None]
    owner_began: Mapping[int, datetime | None]

    def turn(self, who: WaitingOwner) -> Turn:
        """Sort whoever is next to the front."""
        project, owner = self.project_began.get(who.project), self.owner_began.get(who.owner)
        return (
            self.running_of_project.get(who.project, 0),
            self.running_of_owner.get(who.owner, 0),
            *(project is not None, project.timestamp() if project else 0.0),
            *(owner is not None, owner.timestamp() if owner else 0.0),
            who.since,
        )


def next_in_turn(queued: QuerySet[Run], left_behind: QuerySet[Run]) -> Run | None:
    """Return the next run, locked, among queued runs and runs of lost workers; None if other workers hold all of them.

    Called within a transaction.
    """
    waiting = waiting_in(queued)
    top = max((who.priority for who in waiting), default=None)
    left = _locked(left_behind.order_by("-priority", "queued_at", "pk"))
    if left is not None and (top is None or left.priority >= top):
        return left  # it had its turn, and goes on as soon as somebody can
    if top is None:
        return None
    for who in in_turn(who for who in waiting if who.priority == top):
        own = queued.filter(priority=top, project=who.project, owner=who.owner).order_by("queued_at", "pk")
        if (run := _locked(own)) is not None:
            return run
    return left


def waiting_in(queued: QuerySet[Run]) -> list[WaitingOwner]:
    """Return the owners with queued runs, in no order: one look through the index that has all of it."""
    rows = queued.order_by().values_list("priority", "project", "owner").annotate(since=Min("queued_at"))
    return [WaitingOwner(*row) for row in rows]


def in_turn(waiting: Iterable[WaitingOwner]) -> list[WaitingOwner]:
    """Return the owners with queued runs in the order of their turns."""
    found = list(waiting)
    if len(found) < 2:
        return found
    served = served_so_far({each.project for each in found}, {each.owner for each in found})
    return sorted(found, key=served.turn)


def served_so_far(projects: set[int], owners: set[int]) -> ServiceHistory:
    """Return the running runs per project and owner, and the time of their last start."""
    at_work = Run.objects.filter(status=Run.Status.RUNNING, lease_expires__gte=Now()).order_by()
    pairs = list(at_work.values_list("project", "owner"))
    return ServiceHistory(
        Counter(project for project, _ in pairs),
        Counter(owner for _, owner in pairs),
        _last_began(Project, "project", projects),
        _last_began(get_user_model(), "owner", owners),
    )


def _last_began(model: type[Model], key: str, wanted: set[int]) -> dict[int, datetime | None]:
    # Who was served before the clock was set back would else come last until it is there again.
    begun = Run.objects.filter(**{key: OuterRef("pk")}, started__lte=Now()).order_by("-started")
    rows = model._default_manager.filter(pk__in=wanted).order_by()
    return dict(rows.annotate(began=Subquery(begun.values("started")[:1])).values_list("pk", "began"))


def _locked(runs: QuerySet[Run]) -> Run | None:
    return runs.select_for_update(skip_locked=True, of=("self",)).first()
