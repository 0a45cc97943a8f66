"""How the run page reads a run: through the visibility function, with its designs and explanations cached in the process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engines.results import ChipletGrid, Result, Schedule, Trace
from frontend.bridge import current_user
from frontend.pages.run_data import DesignCache, RunDesigns
from frontend.pages.run_words import primary_quantity, quantities_of
from webapp.runs import readers
from webapp.runs.service import get_followed_run, get_run

if TYPE_CHECKING:
    from webapp.runs.models import Run

_designs = DesignCache()
# Engine and version -> the types of results that explain one design.
_explained_types: dict[tuple[str, int], frozenset[type[Result]]] = {}
_TAB_OF: Mapping[str, type[Result]] = {"grid": ChipletGrid, "schedule": Schedule, "traces": Trace}


def open_run(run_id: Any) -> Run:
    """The run of that number for the signed-in user.

    Raises:
        NotVisible: there is none, or the user may not see it.
    """
    return get_run(current_user(), run_id)


def open_followed(run_id: Any) -> Run:
    """The same for a poll, with what changes while the run goes on; anything else is read when it is asked for.

    Raises:
        NotVisible: there is none, or the user may not see it.
    """
    return get_followed_run(current_user(), run_id)


def designs_of(run: Run) -> RunDesigns:
    """All designs of the run; only chunks not seen before are read."""
    quantities = quantities_of(run)
    primary = primary_quantity(run)
    name = primary.name if primary else ""
    # A resume deletes designs after its checkpoint, so another attempt may hold others under the same numbers.
    return _designs.get(
        run.pk,
        (run.attempt, run.engine_version),
        lambda: RunDesigns.empty(quantities, name),
        lambda after: readers.load_designs(run, after_chunk=after),
        run.design_count,
    )


def stage_of(run: Run) -> dict[str, Any]:
    """What decides which buttons and which state card are shown."""
    return {"status": run.status, "wish": run.wish, "outcome": run.outcome, "attempt": run.attempt}


def status_of(run: Run) -> dict[str, Any]:
    """What the header follows while the run is live."""
    return {
        **stage_of(run),
        "step": run.step_number,
        "evaluations": run.evaluations,
        "fraction": round(run.fraction, 4),
        "log": readers.last_log_number(run),
    }


def state_of(run: Run) -> dict[str, Any]:
    """Everything that the browser asks for while it follows a run."""
    return {
        "status": status_of(run),
        "stage": stage_of(run),
        "count": run.design_count,
        "attempt": run.attempt,
        "active": run.active,
    }


def bounds_of(run: Run) -> Mapping[str, tuple[float, str]]:
    """Bounds known before the run began: label -> (value, unit)."""
    return {label: (float(pair[0]), str(pair[1])) for label, pair in run.plan.get("bounds", {}).items()}


def lower_bounds(run: Run, designs: RunDesigns) -> dict[str, float]:
    """Column -> lower bound, for bounds whose label names a minimised quantity and whose unit agrees."""
    found: dict[str, float] = {}
    for label, (value, unit) in bounds_of(run).items():
        words = label.lower()
        for quantity in designs.quantities:
            if quantity.sense == "minimise" and quantity.unit == unit and quantity.title.lower() in words:
                found.setdefault(quantity.name, value)
    return found


def explained(run: Run, number: int) -> tuple[Result, ...]:
    """Grid, schedule and the rest of one design; kept in the process."""
    found = tuple(readers.explain_design(run, number))
    _explained_types[run.engine, run.engine_version] = frozenset(type(result) for result in found)
    return found


def lacking_tabs(run: Run) -> frozenset[str]:
    """Tabs that stay empty for the run's engine, as far as a design was explained since the process began."""
    types = _explained_types.get((run.engine, run.engine_version))
    return frozenset() if types is None else frozenset(tab for tab, kind in _TAB_OF.items() if kind not in types)


def grid_of(results: tuple[Result, ...]) -> ChipletGrid | None:
    """The first chiplet grid among the results."""
    return next((result for result in results if isinstance(result, ChipletGrid)), None)


def trace_of(results: tuple[Result, ...]) -> Trace | None:
    """The first trace among the results."""
    return next((result for result in results if isinstance(result, Trace)), None)


def schedule_of(results: tuple[Result, ...]) -> Schedule | None:
    """The first schedule among the results."""
    return next((result for result in results if isinstance(result, Schedule)), None)
