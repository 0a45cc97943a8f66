"""Studies in the list of runs: one row each, in which their runs stand folded. No components."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from engines.contract.bounded_cache import BoundedCache
from engines.contract.quantities import Quantity
from frontend.designs.run_words import engine_title, person_name, primary_quantity
from frontend.figures.numbers import MISSING, ago, integer, si
from frontend.pages.study.words import study_state
from frontend.pages.words import initials
from webapp.annotations.marks import Marks, marks_of
from webapp.runs.models import Run
from webapp.studies.models import Study
from webapp.studies.service import progress_of, visible_studies
from webapp.teams.visibility import visible_with_deleted

if TYPE_CHECKING:
    from webapp.teams.visibility import Principal

_KEPT_STUDIES = 2000
Best = tuple[Quantity, float] | None
# (study, its runs, their steps, their attempts, the newest) -> the best: nothing is read again until a run of it takes a step.
_bests: BoundedCache[tuple[int, int, int, int, str], tuple[Best]] = BoundedCache(_KEPT_STUDIES)
BestValues = Callable[[Sequence[Run]], Mapping[int, float]]


def deleted_studies(principal: Principal) -> list[int]:
    """Return the numbers of the deleted studies of which `principal` may see runs."""
    rows = visible_with_deleted(principal, Study.objects.filter(deleted__isnull=False))
    return list(rows.values_list("pk", flat=True))


def single_runs(gone: Sequence[int]) -> Q:
    """Return the runs on their own, and those of the deleted studies `gone`; without a join, which would read every run."""
    return Q(study__isnull=True) | Q(study__in=gone) if gone else Q(study__isnull=True)


def folded_rows(
    principal: Principal, runs: QuerySet[Run], most: int, best_values: BestValues, now: datetime
) -> list[dict[str, Any]]:
    """Return one row for each of the `most` studies with the newest of `runs`, all of studies.

    Queries do not grow with their number.
    """
    groups = list(
        runs.order_by()
        .values("study")
        .annotate(count=Count("pk"), newest=Max("created"), step_sum=Sum("step_number"), attempt_sum=Sum("attempt"))
        .order_by("-newest")[:most]
    )
    numbers = [group["study"] for group in groups]
    if not numbers:
        return []
    studies = visible_studies(principal).defer("document").in_bulk(numbers)
    marks = marks_of(principal, "study", numbers)
    progress = progress_of(numbers)
    best = _best_of(runs, groups, best_values)
    return [
        _row(studies[number], group, best[number], now) | _state(study_state(progress[number])) | _marks(marks[number])
        for group in groups
        if (number := group["study"]) in studies
    ]


def _marks(marks: Marks) -> dict[str, Any]:
    return {"tags": list(marks.tags), "star": marks.star}


def _state(state: Any) -> dict[str, Any]:
    return {"state": state.word, "kind": state.kind, "fact": state.fact}


def _row(study: Study, group: Mapping[str, Any], best: Best, now: datetime) -> dict[str, Any]:
    name, newest = person_name(study.owner), group["newest"]
    count = integer(group["count"])
    return {
        "id": f"study-{study.pk}",
        "study": study.pk,
        "runs": f"{count} run" + ("" if group["count"] == 1 else "s"),
        "title": study.title,
        "engine": engine_title(study.engine),
        "hardware": _documents(study, "hardware"),
        "workload": _documents(study, "workload"),
        "spark": [],
        "best": si(best[1], best[0].unit) if best else MISSING,
        "bestOf": best[0].title if best else "",
        "imported": "",
        "owner": name,
        "initials": initials(name),
        "updated": ago(newest, now),
        "exact": newest.strftime("%Y-%m-%d %H:%M:%S UTC"),
        "newest": newest.isoformat(),
    }


def _documents(study: Study, slot: str) -> str:
    """Return the documents of a slot by title; of several the first, and how many more there are."""
    titles = list(study.titles.get(slot, {}).values())
    if not titles:
        return MISSING
    return str(titles[0]) if len(titles) == 1 else f"{titles[0]} and {integer(len(titles) - 1)} more"


def _best_of(runs: QuerySet[Run], groups: Sequence[Mapping[str, Any]], best_values: BestValues) -> dict[int, Best]:
    keys = {
        group["study"]: (
            *(group["study"], group["count"], group["step_sum"], group["attempt_sum"]), group["newest"].isoformat(),
        )
        for group in groups
    }  # fmt: skip
    found = {number: _bests.get(key) for number, key in keys.items()}
    missing = [number for number, known in found.items() if known is None]
    if missing:
        members: dict[int, list[Run]] = defaultdict(list)
        for run in runs.filter(study__in=missing).defer("problem", "platform", "plan").order_by():
            members[run.study_id or 0].append(run)
        values = best_values([run for each in members.values() for run in each])
        for number in missing:
            found[number] = _bests.put(keys[number], (_best(members[number], values),))
    return {number: known[0] for number, known in found.items() if known is not None}


def _best(runs: Sequence[Run], values: Mapping[int, float]) -> Best:
    """Return the best of all the runs; None where they do not all go by the same quantity, or have none yet."""
    quantities = {primary_quantity(run) for run in runs}
    known = [values[run.pk] for run in runs if run.pk in values]
    quantity = quantities.pop() if len(quantities) == 1 else None
    if quantity is None or not known:
        return None
    return quantity, (max if quantity.sense == "maximise" else min)(known)
