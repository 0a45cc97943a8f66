"""Actions of people on comparisons: keep, open, change, delete. Pages and API call these.

Every function takes the principal and asks `webapp.teams.visibility` what it may see and change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from engines.contract.errors import ProblemError
from engines.contract.titles import given_title
from hardware.errors import clipped
from webapp.comparisons.errors import ChangedComparisonError, ComparisonError
from webapp.comparisons.models import Comparison
from webapp.runs.models import Run
from webapp.runs.service import visible_runs
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, may_edit, personal_project, require_edit, require_visible, visible

FEWEST, MOST = 2, 6


@dataclass(frozen=True)
class Entry:
    """A run of a comparison and the design looked at; None is its best."""

    run: Run
    design: int | None = None


def visible_comparisons(principal: Principal) -> QuerySet[Comparison]:
    """Return the comparisons that `principal` sees, newest first."""
    return visible(principal, Comparison.objects.select_related("project", "owner"))


def get_comparison(principal: Principal, number: Any) -> Comparison:
    """Return the comparison of that number.

    Raises:
        NotVisible: there is none, or `principal` may not see it.
    """
    return require_visible(principal, Comparison.objects.select_related("project", "owner"), pk=number)


def entries_of(principal: Principal, chosen: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Return runs among `chosen` ({"run": number, "design": number or None}) that `principal` sees, each once, in that order."""
    numbers = [item["run"] for item in chosen if isinstance(item.get("run"), int)]
    runs = visible_runs(principal, gallery=True).select_related("project", "owner").in_bulk(numbers)
    designs = {item["run"]: item.get("design") for item in chosen if isinstance(item.get("run"), int)}
    return [
        Entry(runs[number], _design(runs[number], designs[number]))
        for number in dict.fromkeys(numbers)
        if number in runs
    ][:MOST]


def keep(
    principal: Principal,
    title: str,
    entries: Sequence[Entry],
    axes: Mapping[str, str],
    comparison: Comparison | None = None,
    project: Project | None = None,
    seen: Mapping[str, Any] | None = None,
) -> Comparison:
    """Store a comparison under a permanent number; `comparison` is changed where one is given.

    Runs of it that `principal` does not see stay in it, after the others, as far as there is room.

    `seen` is what `state_of` said of it when it was opened; None does not ask.

    A new one belongs to `project`; without one, to that of its first run where `principal` edits there, else to the personal one.

    Raises:
        ChangedComparisonError: a person has changed it since.
        ComparisonError: no title, fewer than `FEWEST` runs or more than `MOST`.
        NotAllowed: `principal` only views the project of `comparison`, or `project`.
    """
    try:
        words = given_title(title or " ")
    except ProblemError as error:
        raise ComparisonError("title", "a question or a name", clipped(error.got)) from error
    if not FEWEST <= len(entries) <= MOST:
        raise ComparisonError("runs", f"{FEWEST} to {MOST} runs that you can see", f"{len(entries)}")
    content = [{"run": entry.run.pk, "design": entry.design} for entry in entries]
    if comparison is None:
        first = entries[0].run
        if project is None:
            project = first.project if may_edit(principal, first) else personal_project(principal)
        require_edit(principal, project)
        return Comparison.objects.create(
            project=project, owner_id=int(principal.pk or 0), title=words, entries=content, axes=dict(axes)
        )
    require_edit(principal, comparison)
    with transaction.atomic():
        now = Comparison.objects.select_for_update().get(pk=comparison.pk)
        if seen is not None and state_of(now) != seen:
            raise ChangedComparisonError(now)
        comparison.title, comparison.axes = words, dict(axes)
        comparison.entries = [*content, *_hidden_from(principal, now)][:MOST]
        comparison.save(update_fields=["title", "entries", "axes"])
    return comparison


def state_of(comparison: Comparison) -> dict[str, Any]:
    """Return the current values of the fields that `keep` changes."""
    return {"title": comparison.title, "entries": comparison.entries, "axes": comparison.axes}


def _hidden_from(principal: Principal, comparison: Comparison) -> list[dict[str, Any]]:
    """Return the entries whose runs exist and are not for `principal` to see: another person compares them."""
    numbers = [item["run"] for item in comparison.entries]
    seen = set(visible_runs(principal, gallery=True).filter(pk__in=numbers).values_list("pk", flat=True))
    there = set(Run.objects.filter(pk__in=numbers).values_list("pk", flat=True))
    return [item for item in comparison.entries if item["run"] in there - seen]


def _design(run: Run, wanted: Any) -> int | None:
    return wanted if isinstance(wanted, int) and 0 <= wanted < run.design_count else None
