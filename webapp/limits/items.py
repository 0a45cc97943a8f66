"""Texts of the change log about limits."""

from __future__ import annotations

from webapp.items.registry import Item, declare

_FIELDS = ("run_minutes", "run_memory_mb", "active_runs", "stored_mb", "study_cells")
declare(
    Item(name="project-limits", model="limits.ProjectLimits", logged=("project", *_FIELDS)),
    Item(name="person-limits", model="limits.PersonLimits", logged=("person", *_FIELDS)),
)
