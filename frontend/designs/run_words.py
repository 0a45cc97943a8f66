"""Words of pages about a run: its state, its inputs, and its name for "best"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engines.contract.designs import canonical_json
from engines.contract.engine import Engine, Problem
from engines.contract.errors import EngineError
from engines.contract.quantities import Quantity
from engines.errata import errata_of
from engines.registry import get_engine
from engines.running.inspection import run_quantities
from engines.running.time_limits import reached_words
from frontend.figures.numbers import duration, integer, percent

if TYPE_CHECKING:
    from frontend.designs.run_designs import RunDesigns
    from webapp.runs.models import Run

MOST_BASELINES_NAMED = 2

StateKind = Literal["", "acc", "good", "warn", "bad"]


@dataclass(frozen=True)
class RunState:
    """One word for a run's state, the kind of its chip, and one fact next to it."""

    word: str
    kind: StateKind
    fact: str


def bound_title(quantity: Quantity) -> str:
    """Return the title of a bound of `quantity`."""
    return "upper bound" if quantity.sense == "maximise" else "lower bound"


def run_state(run: Run, now: datetime) -> RunState:
    """Return the state of `run` in words. A stop that was asked for shows at once, before the keeper has answered."""
    share = percent_done(run)
    if run.status == "queued":
        return RunState(
            "Stopping" if run.wish == "stop" else "Queued", "", f"for {duration(_since(run.queued_at, now))}"
        )
    if run.status == "running":
        return RunState("Stopping", "warn", share) if run.wish == "stop" else RunState("Running", "acc", share)
    if run.status == "stopped":
        return RunState("Stopped", "warn", limit_reached(run) if run.time_limit_reached else f"at {share}")
    if run.status == "importing":
        return RunState("Importing", "", share)
    if run.status == "failed":
        return RunState("Failed", "bad", f"at {share}")
    if run.outcome == "infeasible":
        return RunState("Infeasible", "warn", str(run.outcome_detail.get("limit", "")))
    return RunState("Done", "good", duration(run_seconds(run, now)))


def limit_reached(run: Run) -> str:
    """Return the fact that ended a run whose time limit is reached: "time limit of 10 min reached"."""
    return reached_words(run.stop_after_minutes or 0.0)


def run_seconds(run: Run, now: datetime) -> float | None:
    """Return the compute time of the run over all attempts in s; None before its start.

    From start to end where that was not noted: before the first report, and of runs of earlier versions of the site.
    """
    if run.started is None:
        return None
    return run.computed_s or ((run.finished or now) - run.started).total_seconds()


def _since(then: datetime | None, now: datetime) -> float | None:
    return None if then is None else max(0.0, (now - then).total_seconds())


def engine_of(name: str) -> Engine | None:
    """Return the engine of that name, None where it is not installed any more."""
    try:
        return get_engine(name)
    except (EngineError, ImportError):
        return None


def engine_title(name: str) -> str:
    """Return the title of the engine."""
    engine = engine_of(name)
    return engine.title if engine else name


def quantities_of(run: Run) -> tuple[Quantity, ...]:
    """Return the quantities of the run's engine, none where it is not installed any more."""
    engine = engine_of(run.engine)
    return _quantities(engine, canonical_json(run.params)) if engine else ()


@lru_cache(maxsize=256)
def _quantities(engine: Engine, params_json: str) -> tuple[Quantity, ...]:
    return tuple(run_quantities(engine, json.loads(params_json)))


def other_version(run: Run) -> str:
    """Return a note if another version of the engine made the run; "" if it is the installed version or none is installed."""
    engine = engine_of(run.engine)
    if engine is None or engine.version == run.engine_version:
        return ""
    made, installed = run.engine_version, engine.version
    words = f"Version {made} of the engine made this run; version {installed} is installed and may give other values."
    return " ".join([words, *(f"Corrected since: {erratum.values}" for erratum in errata_of(run.engine, made))])


def primary_quantity(run: Run) -> Quantity | None:
    """Return the quantity by which "best" is told, None where the engine cannot tell any more."""
    return _primary_quantity(run.engine, run.engine_version, canonical_json(run.params))


@lru_cache(maxsize=256)
def _primary_quantity(engine_name: str, version: int, params_json: str) -> Quantity | None:
    engine = engine_of(engine_name)
    if engine is None:
        return None
    try:
        params = engine.Params.model_validate(json.loads(params_json))
        name = engine.primary_metric(Problem(engine_name, version, {}, params))
    except (ValueError, StopIteration):
        return None
    return next((quantity for quantity in _quantities(engine, params_json) if quantity.name == name), None)


def document_title(content_title: Any, slug: str) -> str:
    """Return the title of a document, its slug where it has none."""
    return str(content_title) if content_title else slug


def dominated_sentence(designs: RunDesigns) -> str:
    """Return the sentence on the part of the front that baselines dominate, with their names; "" if none does."""
    if not designs.dominated_by_baselines:
        return ""
    names = sorted(designs.dominated_by_baselines, key=lambda label: -int(designs.dominated_by_baselines[label].sum()))
    count = designs.points_among(np.logical_or.reduce(list(designs.dominated_by_baselines.values())))
    shown = " or ".join(names) if len(names) <= MOST_BASELINES_NAMED else f"{names[0]} or another baseline"
    verb = "is" if count == 1 else "are"
    return f"{integer(count)} of {integer(designs.front_points)} {verb} dominated by {shown}"


def front_words(points: int, count: int) -> str:
    """Return the size of a front: "8 designs", or with equal objectives "104 points, 229 238 designs"."""
    designs = f"{integer(count)} design" + ("" if count == 1 else "s")
    return designs if points == count else f"{integer(points)} point{'' if points == 1 else 's'}, {designs}"


def percent_done(run: Run) -> str:
    """Return the progress of a run in per cent, rounded in the same way on every page."""
    return percent(run.fraction)


def announcement(run: Run) -> str:
    """Return the state and share done, for those who do not see them."""
    return f"Run {run.status}, {percent_done(run)}"


def kept_words(kept: int, evaluated: int, by_hand: int = 0) -> str:
    """Return a sentence that states which evaluated designs are stored, and how many of them were made by hand.

    "" before the first.
    """
    if by_hand:
        return f"{kept_words(kept - by_hand, evaluated)} {integer(by_hand)} more {'is' if by_hand == 1 else 'are'} made by hand."
    if not kept:
        return ""
    if kept >= evaluated:
        return "The evaluated design is kept." if kept == 1 else f"All {integer(kept)} evaluated designs are kept."
    return f"{integer(kept)} of {integer(evaluated)} evaluated designs are kept: every non-dominated one and a sample of the rest."


def person_name(user: Any) -> str:
    """Return the displayed name of a person."""
    return str(user.get_full_name() or user.get_username())


def input_titles(rows: list[Mapping[str, Any]]) -> dict[str, str]:
    """Return slot -> title, of rows with `slot`, `slug` and `content__title`."""
    return {row["slot"]: document_title(row["content__title"], row["slug"]) for row in rows}
