"""How the run page reads a run: through the visibility function, with its designs and explanations cached in the process."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.encoding.plan_json import bounds_from_json
from engines.contract.engine import Engine
from engines.contract.errors import EngineError
from engines.contract.quantities import Quantity
from engines.contract.results import ChipletGrid, Result, Schedule, Trace
from engines.running.inspection import Estimator, stated_limits
from frontend.designs.run_decisions import RunDecisions, make_run_decisions
from frontend.designs.run_designs import DesignCache, RunDesigns
from frontend.designs.run_words import (
    engine_of,
    primary_quantity,
    quantities_of,
)
from frontend.request import current_user
from webapp.annotations.notes import remarks_on
from webapp.comparisons.certainty import estimator_of
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers, run_decisions
from webapp.runs.results.curves import Convergence
from webapp.runs.results.live_changes import FollowedRun, get_followed_run
from webapp.teams.visibility import NotVisible


@dataclass(frozen=True)
class _Meaning:
    """The meaning of the columns of a run's designs; it never changes while this process lives."""

    engine_version: int
    problem_hash: str
    quantities: tuple[Quantity, ...]
    primary: str
    certain: bool
    estimator: Estimator | None = None
    limited: bool = False


_REMARKS = "remarks shown"
_designs = DesignCache()
# A name that somebody else gave a run may be a second old.
ROW_KEPT_S = 1.0
_rows: BoundedCache[int, tuple[FollowedRun, float, Run]] = BoundedCache(64)
# At most some 5,000 steps each (`webapp.runs.results.curves`).
_curves: BoundedCache[int, tuple[int, Convergence]] = BoundedCache(32)
_meanings: BoundedCache[int, _Meaning] = BoundedCache(1000)
# Engine and version -> the types of results that explained one design, of engines that declare none.
_explained_types: dict[tuple[str, int], frozenset[type[Result]]] = {}


def open_run(run_id: Any) -> Run:
    """Return the run of that number for the signed-in user.

    Whether they may see it is asked every time. The row itself, which is the same for everybody, is read again where anything
    has changed that changes while a run continues, else once a second.

    Raises:
        NotVisible: there is none, or the user may not see it.
    """
    followed = open_followed(run_id)
    kept = _rows.get(followed.pk)
    if kept is None or kept[0] != followed or time.monotonic() - kept[1] > ROW_KEPT_S:
        read = time.monotonic()
        row = Run.objects.select_related("owner", "project").filter(pk=followed.pk).first()
        if row is None:  # deleted a moment ago
            raise NotVisible(f"There is no run {run_id} here.")
        kept = _rows.put(followed.pk, (followed, read, row))
    return copy(kept[2])


def open_followed(run_id: Any) -> FollowedRun:
    """Return the same for a poll, with what changes while the run continues; anything else is read when it is asked for.

    Raises:
        NotVisible: there is none, or the user may not see it.
    """
    return get_followed_run(current_user(), run_id)


def remarks_of(run: Run) -> dict[int, str]:
    """Return number of a design -> the remark that is pinned to it; asked once for each row that `open_run` gave."""
    found: dict[int, str] | None = run.__dict__.get(_REMARKS)
    if found is None:
        found = run.__dict__[_REMARKS] = remarks_on([run.pk])[run.pk]
    return found


def designs_of(run: Run) -> RunDesigns:
    """Return all designs of the run; only chunks not seen before are read."""
    return _designs_of(run, _meaning_of(run))


def decisions_of(run: Run, designs: RunDesigns) -> RunDecisions:
    """Return the decisions of these designs as columns."""
    engine = engine_of(run.engine)
    return make_run_decisions(
        (run.pk, run.attempt),
        len(designs),
        () if engine is None else engine.decision_columns,
        frozenset(designs.columns),
        lambda numbers: readers.decisions_at(run.pk, numbers),
        lambda after: run_decisions.decided_after(run, after),
    )


def listed_designs(run: Run, data: Mapping[str, Any], listed: Mapping[str, Any] | None) -> RunDesigns:
    """Return the designs that key figures, short list and selection tell of: of a live run those that were there at one moment.

    Each of them is asked for by itself, and designs may come between two of these questions.

    Args:
        run: present run.
        data: the page's store of that name: how many designs there were when it was last drawn whole, and of which attempt.
        listed: the same for the lists that a poll brought since; empty where none did.
    """
    counts = [each["count"] for each in (data, listed or {}) if each.get("attempt") == run.attempt]
    return designs_of(run).first(max(counts) if counts else None)


def designs_of_followed(run: FollowedRun) -> RunDesigns:
    """Return the designs of a followed run, read for a poll."""
    known = _meanings.get(run.pk)
    return _designs_of(run, known or _meaning_of(Run.objects.get(pk=run.pk)))


def _meaning_of(run: Run) -> _Meaning:
    known = _meanings.get(run.pk)
    if known and known.certain and (known.engine_version, known.problem_hash) == (run.engine_version, run.problem_hash):
        return known
    engine, primary, estimator = engine_of(run.engine), primary_quantity(run), estimator_of(run)
    quantities = quantities_of(run) if estimator is None else tuple(map(estimator.of, quantities_of(run)))
    made = _Meaning(
        run.engine_version,
        run.problem_hash,
        quantities,
        primary.name if primary else "",
        estimator is not None,
        estimator,
        engine is not None and bool(stated_limits(engine, run.params)),
    )
    return _meanings.put(run.pk, made)


def _designs_of(run: Run | FollowedRun, meaning: _Meaning) -> RunDesigns:
    names = [quantity.name for quantity in meaning.quantities]
    estimator, key = meaning.estimator, run.pk

    def certain(number: int, quantity: Quantity) -> Quantity:
        return (
            quantity
            if estimator is None
            else estimator.of(quantity, json.loads(readers.decisions_at(key, [number])[0]))
        )

    differs = estimator is not None and bool(estimator.surer.without)
    # A resume deletes designs after its checkpoint, so another attempt may hold others under the same numbers.
    return _designs.get(
        run.pk,
        (run.attempt, meaning.engine_version, meaning.certain),
        lambda: RunDesigns.empty(
            meaning.quantities,
            meaning.primary,
            certain if differs else None,
            {} if estimator is None else estimator.baseline_hardware,
            meaning.limited,
        ),
        lambda after: readers.load_columns(run.pk, names, after),
        run.design_count,
        lambda: readers.stored_count(run.pk),
    )


def curve_of(run: Run) -> Convergence:
    """Return the stored steps of the run; only those not seen before are read. It needs the run's reference point."""
    kept = _curves.get(run.pk)
    known = kept[1] if kept and kept[0] == run.attempt else None
    if known is not None and known.reference != tuple(run.hypervolume_reference or ()):
        known = None  # earlier steps were measured again
    if known is not None and len(known.step) and known.step[-1] > run.step_number:
        known = None  # of the attempt before: this one has gone back to a checkpoint since it was read
    if known is not None and len(known.step) and known.step[-1] == run.step_number:
        return known
    return _curves.put(run.pk, (run.attempt, readers.convergence(run, known)))[1]


def stage_of(run: Run | FollowedRun) -> dict[str, Any]:
    """Return the stage of the run, which selects buttons and state card."""
    return {"status": run.status, "wish": run.wish, "outcome": run.outcome, "attempt": run.attempt}


def status_of(run: Run | FollowedRun) -> dict[str, Any]:
    """Return the state of a live run that the header follows."""
    return {
        **stage_of(run),
        "step": run.step_number,
        "evaluations": run.evaluations,
        "fraction": round(run.fraction, 4),
        "log": run.last_log if isinstance(run, FollowedRun) else readers.last_log_number(run),
    }


def state_of(run: FollowedRun) -> dict[str, Any]:
    """Return the complete state that the browser polls while it follows a run."""
    return {
        "status": status_of(run),
        "stage": stage_of(run),
        "count": run.design_count,
        "attempt": run.attempt,
        "active": run.active,
    }


def bounds_of(run: Run, designs: RunDesigns) -> dict[str, float]:
    """Return column -> value that no design passes, as known before the run began."""
    names = {quantity.name for quantity in designs.quantities if quantity.sense != "none"}
    return {
        bound.column: bound.value
        for bound in bounds_from_json(run.plan.get("bounds", ()))
        if bound.column is not None and bound.column in names
    }


def explained(run: Run, number: int) -> tuple[Result, ...]:
    """Return grid, schedule and the rest of one design; kept in the process."""
    found = tuple(readers.explain_design(run, number))
    _explained_types[run.engine, run.engine_version] = frozenset(type(result) for result in found)
    return found


def explained_types(run: Run) -> frozenset[type[Result]] | None:
    """Return the types of results of the run's designs: as the engine declares, else as seen since the process started.

    None where nothing is known of it yet.
    """
    engine = engine_of(run.engine)
    if engine is None:
        return None
    try:
        # A network may take long to read: only an engine that looks at its inputs gets them, and large ones unread.
        asks = type(engine).result_types_of is not Engine.result_types_of
        declared = engine.result_types_of(pinned_problem(run)) if asks else engine.result_types
    except EngineError:  # a run of an earlier version
        declared = engine.result_types
    return _explained_types.get((run.engine, run.engine_version)) if declared is None else frozenset(declared)


def has_lower(run: Run) -> bool:
    """Return whether a schedule or a trace may stand below the front and the selected design."""
    types = explained_types(run)
    return types is None or bool(types & {Schedule, Trace})


def grid_of(results: Sequence[Result]) -> ChipletGrid | None:
    """Return the first chiplet grid among the results."""
    return next((result for result in results if isinstance(result, ChipletGrid)), None)


def trace_of(results: Sequence[Result]) -> Trace | None:
    """Return the first trace among the results."""
    return next((result for result in results if isinstance(result, Trace)), None)


def schedule_of(results: Sequence[Result]) -> Schedule | None:
    """Return the first schedule among the results."""
    return next((result for result in results if isinstance(result, Schedule)), None)
