"""Which runs and designs an address asks to compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frontend.pages.study.seeds import AskedSeeds, asked_statistics, median_runs
from webapp.studies.service import get_study
from webapp.teams.visibility import NotVisible, Principal

_DIGITS = 18


def asked_entries(query: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the runs and designs of `?runs=3,5&designs=12,`; what is no number is left out."""
    runs = query.get("runs", "").split(",")
    designs = [*query.get("designs", "").split(","), *[""] * len(runs)]
    return [
        {"run": int(run), "design": int(design) if _number(design) else None}
        for run, design in zip(runs, designs, strict=False)
        if _number(run)
    ]


def study_entries(user: Principal, query: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the median runs of the groups of `?study=12`, with `by`, `at` and `measure` as on its page.

    None where it is not seen.
    """
    number, at = query.get("study", ""), query.get("at", "")
    if not _number(number):
        return []
    try:
        study = get_study(user, int(number))
    except NotVisible:
        return []
    found, _ = asked_statistics(
        study, AskedSeeds(query.get("by"), int(at) if _number(at) else None, query.get("measure"))
    )
    return [{"run": run, "design": None} for run in median_runs(found)]


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _DIGITS
