"""The rows of the list of studies. No components."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from frontend.figures.numbers import ago, integer
from frontend.pages.run.words import engine_title, person_name
from frontend.pages.study.words import study_state
from frontend.pages.words import initials
from webapp.studies.models import Study
from webapp.studies.service import Progress, progress_of, visible_studies
from webapp.teams.visibility import Principal

MOST_ROWS = 200


@dataclass(frozen=True)
class StudyListView:
    """What the page shows; `digest` changes when anything of it does."""

    rows: tuple[dict[str, Any], ...]
    live: bool
    digest: str


def list_view(principal: Principal, now: datetime | None = None) -> StudyListView:
    """The newest studies of `principal`, in two queries."""
    now = now or timezone.now()
    studies = list(visible_studies(principal)[:MOST_ROWS])
    progress = progress_of([study.pk for study in studies])
    rows = tuple(_row(study, progress[study.pk], now) for study in studies)
    text = json.dumps(rows, sort_keys=True)
    live = any(found.live for found in progress.values())
    return StudyListView(rows, live, hashlib.sha256(text.encode()).hexdigest()[:16])


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
