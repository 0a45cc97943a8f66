"""The rows of the list of studies. No components."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from frontend.designs.run_words import engine_title, person_name
from frontend.figures.numbers import ago, integer
from frontend.pages.study.words import study_state
from frontend.pages.words import initials
from webapp.annotations.marks import AskedMarks, marks_of, only_marked, tag_counts
from webapp.studies.models import Study
from webapp.studies.service import Progress, progress_of, visible_studies
from webapp.teams.visibility import Principal

MOST_ROWS = 200
EVERY = AskedMarks()


@dataclass(frozen=True)
class StudyListView:
    """The content of the page; `digest` changes with every change of the content."""

    rows: tuple[dict[str, Any], ...]
    live: bool
    digest: str
    tags: tuple[tuple[str, int], ...] = ()


def list_view(principal: Principal, now: datetime | None = None, asked: AskedMarks = EVERY) -> StudyListView:
    """Return the newest studies of `principal` that match the query, those with a star first, in four database queries."""
    now = now or timezone.now()
    studies = list(only_marked(principal, "study", visible_studies(principal), asked)[:MOST_ROWS])
    marks = marks_of(principal, "study", [study.pk for study in studies])
    studies.sort(key=lambda study: not marks[study.pk].star)
    progress = progress_of([study.pk for study in studies])
    rows = tuple(
        _row(study, progress[study.pk], now) | {"tags": list(marks[study.pk].tags), "star": marks[study.pk].star}
        for study in studies
    )
    text = json.dumps(rows, sort_keys=True)
    live = any(found.live for found in progress.values())
    return StudyListView(
        rows, live, hashlib.sha256(text.encode()).hexdigest()[:16], tuple(tag_counts(principal, "study"))
    )


def _row(study: Study, progress: Progress, now: datetime) -> dict[str, Any]:
    state, name = study_state(progress), person_name(study.owner)
    return {
        "id": str(study.pk),
        "title": study.title,
        "engine": engine_title(study.engine),
        "project": study.project.title,
        "runs": integer(progress.total),
        "state": state.word,
        "kind": state.kind,
        "fact": state.fact,
        "share": round(progress.fraction, 3),
        "owner": name,
        "initials": initials(name),
        "created": ago(study.created, now),
        "exact": study.created.strftime("%Y-%m-%d %H:%M:%S UTC"),
    }
