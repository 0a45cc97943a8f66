"""The tabs of the run page, in their order; a new one is a line of `TABS`."""

from __future__ import annotations

from engines.registry import JOBS
from frontend.designs.run_words import engine_of
from frontend.pages.run.edit.tab import TAB as EDIT
from frontend.pages.run.measurements.tab import TAB as MEASURED
from frontend.pages.run.run_reader import explained_types
from frontend.pages.run.tab import RunTab
from frontend.pages.run.tabs import (
    convergence,
    cost_models,
    decisions,
    difference,
    grid,
    log,
    provenance,
    results,
    schedule,
    traces,
)
from frontend.pages.run.what_if.tab import TAB as WHAT_IF
from frontend.pages.run.why.tab import TAB as WHY
from webapp.measuring.designs import measurable_of
from webapp.runs.models import Run

TABS: tuple[RunTab, ...] = (
    RunTab("overview", "Overview"),
    RunTab("designs", "Designs"),
    WHY,
    WHAT_IF,
    EDIT,
    results.TAB,
    convergence.TAB,
    decisions.TAB,
    cost_models.TAB,
    MEASURED,
    difference.TAB,
    schedule.TAB,
    grid.TAB,
    traces.TAB,
    RunTab("notes", "Notes", of_designs=False),
    provenance.TAB,
    log.TAB,
)


def lacking_tabs(run: Run) -> frozenset[str]:
    """Return the tabs that stay empty for the run's engine, as far as that is known."""
    if run.engine in JOBS:
        return frozenset(tab.name for tab in TABS if tab.of_designs)
    engine, types = engine_of(run.engine), explained_types(run)
    lacking = {tab.name for tab in TABS if engine is not None and tab.lacks is not None and tab.lacks(engine)}
    if measurable_of(run) is None:
        lacking.add(MEASURED.name)
    if types is not None:
        lacking |= {tab.name for tab in TABS if tab.shows is not None and tab.shows not in types}
    return frozenset(lacking)
