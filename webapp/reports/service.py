"""Actions of people on reports: write, open, change. Pages and REST call these.

Every function takes the principal and asks `webapp.teams.visibility` what it may see and change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from webapp.annotations.texts import readable
from webapp.reports.blocks import LONGEST_TEXT, Block, Part, parts_of, runs_in
from webapp.reports.errors import ReportChangedError
from webapp.reports.models import Report, ReportVersion
from webapp.runs.models import Run
from webapp.runs.service import visible_runs
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, personal_project, require_edit, require_visible, visible

_CAVEATS = re.compile(r"^## Caveats\b", re.MULTILINE)


def visible_reports(principal: Principal) -> QuerySet[Report]:
    """Return the reports that `principal` sees, newest first."""
    return visible(principal, Report.objects.select_related("project", "owner"))


def get_report(principal: Principal, number: Any) -> Report:
    """Return the report of that number.

    Raises:
        NotVisible: there is none, or `principal` may not see it.
    """
    return require_visible(principal, Report.objects.select_related("project", "owner"), pk=number)


def versions_of(report: Report) -> QuerySet[ReportVersion]:
    """Return the versions of a report that the caller has been given, newest first."""
    return ReportVersion.objects.filter(report=report).select_related("created_by").order_by("-number")


def version_of(principal: Principal, report: Report, number: Any = None) -> ReportVersion:
    """Return a version of a report, the newest where no number is given.

    Raises:
        NotVisible: `principal` does not see the report, or it has no such version.
    """
    rows = ReportVersion.objects.select_related("created_by").order_by("-number")
    lookup = {"report": report} if number is None else {"report": report, "number": number}
    return require_visible(principal, rows, **lookup)


def runs_of(principal: Principal, numbers: Iterable[int]) -> dict[int, Run]:
    """Return the runs that `principal` sees, by number, in that order."""
    wanted = list(numbers)
    found = visible_runs(principal, gallery=True).select_related("project", "owner").in_bulk(wanted)
    return {number: found[number] for number in wanted if number in found}


def write(principal: Principal, title: str, text: str, project: Project | None = None) -> Report:
    """Store a report as version 1, in `project` or else in the principal's own.

    Raises:
        ProblemError: title or text is none, a block is not right, or names a run that `principal` does not see.
        NotAllowed: `principal` only views the project.
    """
    target = personal_project(principal) if project is None else project
    require_edit(principal, target)
    words, checked, parts = _read(title, text)
    pins = _pins(principal, parts, {})
    owner = int(principal.pk or 0)
    with transaction.atomic():
        made: Report = Report.objects.create(project=target, owner_id=owner, title=words)
        ReportVersion.objects.create(report=made, number=1, title=words, text=checked, pins=pins, created_by_id=owner)
    return made


def change(principal: Principal, report: Report, title: str, text: str, seen: int | None = None) -> ReportVersion:
    """Store the next version of a report; the same words again store nothing.

    Runs that the version before names stay in it, seen by `principal` or not.

    Args:
        principal: an editor of its project.
        report: the report.
        title: title of the next version.
        text: text of the next version.
        seen: number of the version that was changed; None does not ask.

    Raises:
        ProblemError: as `write`.
        ReportChangedError: a person has changed it since.
        NotVisible, NotAllowed: `principal` does not see it, or only views its project.
    """
    newest = version_of(principal, report)
    require_edit(principal, report)
    words, checked, parts = _read(title, text)
    if seen is not None and seen != newest.number:
        raise ReportChangedError(seen, newest)
    if (words, checked) == (newest.title, newest.text):
        return newest
    pins = _pins(principal, parts, newest.pins)
    try:
        with transaction.atomic():
            made = ReportVersion.objects.create(
                report=report, number=newest.number + 1, title=words, text=checked, pins=pins,
                created_by_id=int(principal.pk or 0),
            )  # fmt: skip
            report.title = words
            report.save(update_fields=["title"])
    except IntegrityError:
        raise ReportChangedError(newest.number, version_of(principal, report)) from None
    return made


def add(principal: Principal, report: Report, blocks: Sequence[Block]) -> ReportVersion:
    """Return the next version, with these blocks before its heading of caveats, else at its end. Raises as `change`."""
    newest = version_of(principal, report)
    found = _CAVEATS.search(newest.text)
    before, after = (newest.text[: found.start()], newest.text[found.start() :]) if found else (newest.text, "")
    parts = [before.strip(), *(block.written() for block in blocks), after.strip()]
    return change(principal, report, newest.title, "\n\n".join(filter(None, parts)) + "\n", newest.number)


def _read(title: str, text: str) -> tuple[str, str, list[Part]]:
    words = checked_title("title", title)
    checked = readable("text", text).replace("\r\n", "\n").replace("\r", "\n")
    if len(checked) > LONGEST_TEXT:
        raise ProblemError("text", f"{len(checked)} characters", f"at most {LONGEST_TEXT} characters of Markdown")
    return words, checked, parts_of(checked)


def _pins(principal: Principal, parts: Sequence[Part], before: dict[str, Any]) -> dict[str, Any]:
    """Return how the runs stand; of those that the version before names as it says, where they are not for `principal` to see."""
    seen = runs_of(principal, runs_in(parts))
    pins: dict[str, Any] = {}
    for part in parts:
        for number in part.runs if isinstance(part, Block) else ():
            run = seen.get(number)
            if run is None and str(number) not in before:
                field = f"text, line {part.line}" if isinstance(part, Block) else "text"
                raise ProblemError(field, f"run {number}", "runs that you can see")
            pins[str(number)] = before[str(number)] if run is None else state_of(run)
            if run is not None and isinstance(part, Block) and (part.design or 0) >= max(run.design_count, 1):
                accepted = f"a number below {run.design_count}, the designs of run {number}"
                raise ProblemError(f"text, line {part.line}", f"design={part.design}", accepted)
    return pins


def state_of(run: Run) -> dict[str, int]:
    """Return the state of a run that a pinned version stores."""
    return {"attempt": run.attempt, "step": run.step_number, "designs": run.design_count}
