"""A run in a few words and numbers: for the command line, and as one JSON document."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.conf import settings
from rich.table import Table

from engines.contract.designs import Designs
from engines.contract.encoding.result_json import to_json
from engines.contract.progress.step import shortfall
from engines.contract.quantities import SHARE, Quantity, by_name
from engines.contract.results import Note
from engines.registry import get_engine
from engines.running.inspection import with_hardware
from engines.running.time_limits import reached_words
from webapp.runs.inputs.estimators import estimator_of
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.storage.json_values import finite

_PREFIXES = (
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
    (1e-12, "p"),
)

# Shares, ratios, and times that are no seconds.
_WITHOUT_PREFIX = ("%", "h", "1/h", "x", "×")


def run_url(run: Run) -> str:
    """Return the address of the run's page."""
    return f"{settings.PARETOSCOPE_PUBLIC_URL}/runs/{run.pk}"


def primary_metric(run: Run) -> Quantity:
    """Return the quantity by which "best" is told for this run."""
    return by_name(readers.quantities_of(run))[get_engine(run.engine).primary_metric(pinned_problem(run))]


def comparison_table(run: Run, found_title: str) -> Table:
    """Return the best design found next to every baseline, with the primary metric as a ratio to the best.

    Args:
        run: a run with designs.
        found_title: title of the best design of the search.
    """
    designs, quantities, primary = readers.load_designs(run), readers.quantities_of(run), primary_metric(run)
    shown = _shown(quantities, primary)
    best = designs.best(primary, quantities)
    rows = [] if best is None else [(found_title, best)]
    hardware = estimator_of(run).baseline_hardware
    rows += [
        (with_hardware(designs.label[row], hardware), row)
        for row in np.flatnonzero(designs.of_origin("baseline")).tolist()
    ]
    printed = Table(title=run.title, title_justify="left")
    printed.add_column("Design")
    for quantity in shown:
        printed.add_column(quantity.title, justify="right")
    printed.add_column("Ratio", justify="right")
    decisive = designs.columns[primary.name]
    reference = decisive[rows[0][1]] if rows else np.nan
    for title, row in rows:
        values = [si(float(designs.columns[quantity.name][row]), quantity.unit) for quantity in shown]
        printed.add_row(title, *values, f"{decisive[row] / reference:.2f}")
    return printed


def _shown(quantities: tuple[Quantity, ...], primary: Quantity) -> list[Quantity]:
    """Return the objectives first, then the primary metric if it is none of them."""
    shown = [quantity for quantity in quantities if quantity.role == "objective"]
    return shown + ([] if primary in shown else [primary])


def si(value: float, unit: str) -> str:
    """Return a value with three figures and the prefix that fits: 0.00123 s -> "1.23 ms"."""
    if not np.isfinite(value):
        return "-"
    if unit == SHARE:
        return f"{100 * value:.3g} %"
    if unit in _WITHOUT_PREFIX or (unit == "Hz" and abs(value) < 1.0):  # nobody says mHz
        return f"{value:.3g} {unit}".strip()
    factor, prefix = next(((f, p) for f, p in _PREFIXES if abs(value) >= f), (1.0, "") if value == 0 else _PREFIXES[-1])
    return f"{value / factor:.3g} {prefix}{unit}".strip()


def outcome_text(run: Run) -> str:
    """Return the outcome of the run in one or two sentences."""
    detail = run.outcome_detail
    if run.outcome == Run.Outcome.INFEASIBLE:
        remedies = " ".join(remedy["text"] for remedy in detail.get("remedies", ()))
        demand, bound = (np.inf if detail[name] is None else detail[name] for name in ("demand", "bound"))
        need = shortfall(detail["limit"], demand, bound, detail["unit"])
        return f"No design can meet the limits. {need} {remedies}".strip()
    if run.status == Run.Status.FAILED:
        return f"The run failed: {detail.get('text', 'no reason was recorded')}"
    if run.time_limit_reached:
        return f"The run stopped: {reached_words(run.stop_after_minutes or 0.0)}."
    return f"The run is {run.status}."


def cost_lines(run: Run) -> list[str]:
    """Return the certainty of the metrics, with what its error was measured on and every warning of the run."""
    return [estimator_of(run).number.sentence, *caveat_texts(run, "calibration")]


def caveat_texts(run: Run, *named: str) -> list[str]:
    """Return the warnings that a run stored about its result, and its notes of these names."""
    notes = [result for result in readers.results(run).values() if isinstance(result, Note)]
    return [note.text for note in notes if note.level == "warning" or note.name in named]


def run_to_dict(run: Run) -> dict[str, Any]:
    """Return all of a run as one JSON-able document, in the shape of `engines.explore(...).to_dict()` plus what is stored."""
    designs, quantities = readers.load_designs(run), readers.quantities_of(run)
    front = set(designs.front(quantities).tolist())
    infeasible = run.outcome_detail if run.outcome == Run.Outcome.INFEASIBLE else None
    return {
        "run": run.pk,
        "url": run_url(run),
        "title": run.title,
        "problem": run.problem,
        "problem_hash": run.problem_hash,
        "status": run.status,
        "outcome": run.outcome,
        "outcome_detail": run.outcome_detail,
        "fraction": run.fraction,
        "stop_after_minutes": run.stop_after_minutes,
        "time_limit_reached": run.time_limit_reached,
        "computed_s": run.computed_s,
        "infeasible": infeasible,
        "metrics": run.metrics,
        "quantities": [{"name": q.name, "title": q.title, "unit": q.unit, "sense": q.sense} for q in quantities],
        "designs": [_design(designs, row, row in front) for row in range(len(designs))],
        "results": {name: to_json(result) for name, result in readers.results(run).items()},
    }


def _design(designs: Designs, row: int, on_front: bool) -> dict[str, Any]:
    return {
        "index": row,
        "values": {name: finite(float(values[row])) for name, values in designs.columns.items()},
        "origin": designs.origin[row],
        "label": designs.label[row],
        "found_at_evaluation": int(designs.found_at_evaluation[row]),
        "on_front": on_front,
        "decision": designs.decisions[row],
    }
