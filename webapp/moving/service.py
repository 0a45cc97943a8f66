"""Moving and copying a run, a study, a comparison or a document to another project, where one may.

Moving takes a maintainer, or an editor whose own it is; copying takes no more than seeing it. Both take an editor of the project
where it goes. Notes and tags go along with what is moved; a copy has none. Read-only links do not go along: they are over, as they
belong to the project in which they were made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model, Sum

from webapp.annotations.things import take_along
from webapp.catalogue.models import Document
from webapp.comparisons.models import Comparison
from webapp.items.registry import items
from webapp.limits.errors import LimitReachedError
from webapp.limits.service import require_room
from webapp.moving.row_copies import copy_comparison, copy_document, copy_report, copy_run, copy_study
from webapp.reports.models import Report
from webapp.runs.models import Run
from webapp.studies.models import Study
from webapp.teams.errors import TeamError
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotVisible, Principal, require
from webapp.teams.visibility import editable_projects, require_visible

_ACTIVE = (Run.Status.QUEUED, Run.Status.RUNNING, Run.Status.IMPORTING)
MOST_COPIED = 200
_COPIERS: Mapping[type[Model], Callable[[Any, Project, int], Any]] = {
    Run: copy_run,
    Study: copy_study,
    Comparison: copy_comparison,
    Report: copy_report,
    Document: copy_document,
}


def movable(principal: Principal, kind: str, number: Any) -> Any:
    """Return the thing, with its project.

    Raises:
        NotVisible: there is none, or `principal` may not see it.
    """
    found = items("movable").get(kind)
    if found is None:
        raise NotVisible(f"There is no {kind} here.")
    return require_visible(principal, found.rows.select_related("project"), pk=number)


def targets(principal: Principal, thing: Any) -> list[Project]:
    """Return the projects to which `principal` may move or copy the item."""
    return list(editable_projects(principal).exclude(pk=thing.project_id).order_by("title", "pk"))


def move(principal: Principal, kind: str, number: Any, slug: str) -> Any:
    """Move an item to another project; a study moves with its runs.

    Args:
        principal: who moves it.
        kind: a movable one.
        number: key of the thing.
        slug: slug of the project where it goes.

    Raises:
        NotVisible, NotAllowed: `principal` does not see one of the two, or may not do this with it.
        TeamError: it cannot go there now; the message says why.
    """
    thing = movable(principal, kind, number)
    require(principal, Action.MOVE, thing)
    target = _target(principal, thing, slug)
    if isinstance(thing, Run) and thing.study_id is not None:
        raise TeamError("This run belongs to a study: move the study, or copy the run.")
    with transaction.atomic():
        _require_free(thing, target)
        _require_quiet(thing)
        _require_room(thing, target, None)
        if isinstance(thing, Study):
            runs = Run.objects.filter(study=thing, project_id=thing.project_id)
            take_along("run", list(runs.values_list("pk", flat=True)), target)
            runs.update(project=target)
        take_along(kind, [thing.pk], target)
        thing.project = target
        thing.save(update_fields=["project"])
    return thing


def copy(principal: Principal, kind: str, number: Any, slug: str) -> Any:
    """Return a copy of a thing in another project, which belongs to `principal`; of a study with copies of its runs.

    Raises:
        NotVisible, NotAllowed, TeamError: as `move`.
    """
    thing = movable(principal, kind, number)
    target = _target(principal, thing, slug)
    owner = int(principal.pk or 0)
    if isinstance(thing, Study) and thing.runs.count() > MOST_COPIED:
        raise TeamError(f"At most {MOST_COPIED} runs are copied at once. Move the study, or start it again there.")
    with transaction.atomic():
        _require_free(thing, target)
        _require_quiet(thing)
        _require_room(thing, target, owner)
        found = _COPIERS.get(type(thing))
        if found is None:
            raise TeamError(f"A {kind} can be moved, but not copied.")
        return found(thing, target, owner)


def _target(principal: Principal, thing: Any, slug: str) -> Project:
    target = require_visible(principal, Project.objects.all(), slug=slug)
    require(principal, Action.EDIT, target)
    if target.pk == thing.project_id:
        raise TeamError(f"It is in {target.title} already. Choose another project.")
    return target


def _require_free(thing: Any, target: Project) -> None:
    """Check that a document's name is free in the target project, deleted ones counted."""
    if (
        isinstance(thing, Document)
        and Document.objects.filter(project=target, kind=thing.kind, slug=thing.slug).exists()
    ):
        raise TeamError(
            f"{target.title} has a {thing.kind} document called {thing.slug} already. Store it under another name."
        )


def _require_room(thing: Any, target: Project, owner: int | None) -> None:
    """Check that the items fit the limits of the project, and those of whoever copies them."""
    if not isinstance(thing, Run | Study):
        return
    runs = Run.objects.filter(study=thing) if isinstance(thing, Study) else Run.objects.filter(pk=thing.pk)
    held = int(runs.aggregate(total=Sum("stored_bytes"))["total"] or 0)
    cells = runs.filter(deleted=None).count() if isinstance(thing, Study) else 0
    try:
        require_room(target.pk, owner, cells=cells, stored_bytes=held)
    except LimitReachedError as error:
        raise TeamError(str(error)) from error


def _require_quiet(thing: Any) -> None:
    """Check that the item is not queued or running: it must not move away from its worker."""
    if not isinstance(thing, Run | Study):
        return
    runs = Run.objects.filter(study=thing) if isinstance(thing, Study) else Run.objects.filter(pk=thing.pk)
    if runs.filter(status__in=_ACTIVE).exists():
        what = "A run of the study" if isinstance(thing, Study) else "The run"
        raise TeamError(f"{what} is queued or running. Stop it, or wait until it has ended.")
