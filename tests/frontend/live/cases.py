from __future__ import annotations

from typing import Any

from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import status_of
from webapp.runs.models import Run


def shown(run: Run) -> dict[str, Any]:
    return {
        f"{RunIds.RUN}.data": run.pk,
        f"{RunIds.STATUS}.data": status_of(run),
        f"{RunIds.DATA}.data": {"count": run.design_count, "attempt": run.attempt, "live": run.active, "seen": None},
    }
