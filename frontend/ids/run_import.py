"""Ids of the page that imports a run."""

from __future__ import annotations

from enum import StrEnum


class RunImportIds(StrEnum):
    """Component ids of the page; `assets/run_import.js` uses them."""

    PLACE = "run-import-place"
    CHOOSE = "run-import-choose"
    PROGRESS = "run-import-progress"
    PROJECT = "run-import-project"
    ANSWER = "run-import-answer"
    RESULT = "run-import-result"
