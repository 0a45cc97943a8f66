"""Mark of a run from another installation: its origin, and exactly what of it was checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.integer_format import counted
from webapp.runs.models import Run

MARK = "imported"


def checked_words(run: Run) -> str:
    """Return in one or two sentences what was computed again when the run was imported; "" for a run of this installation."""
    return mark_words(run.imported)


def mark_words(imported: Mapping[str, Any]) -> str:
    """Return the same of `Run.imported`."""
    if not imported:
        return ""
    checked = imported.get("checked")
    if not isinstance(checked, Mapping):
        return "Imported by an older version, which computed at most 16 of its designs again."
    if checked["reason"] and not (checked["front_checked"] or checked["sample_checked"]):
        return f"None of its designs was computed again here. {checked['reason']}"
    front, sample = _share(checked, "front"), _share(checked, "sample")
    words = f"Computed again here and found equal: {front} of its front and baselines, {sample} picked from the others."
    return f"{words} {checked['reason']}".strip() + " Its log, times and other results are those of the file."


def _share(checked: Mapping[str, Any], part: str) -> str:
    done, whole = checked[f"{part}_checked"], checked[part]
    if not whole:
        return "none"
    return f"all {counted(whole)}" if done == whole else f"{counted(done)} of {counted(whole)}"
