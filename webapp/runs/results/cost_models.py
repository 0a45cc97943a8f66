"""Designs and layers of a run under several cost models, in a limited process; nothing is stored."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.registry import get_engine
from engines.running.cost_models import cost_models_of, has_cost_models, question_of
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.questions import ask_child
from hardware.errors import sentence
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.evaluation import memory_of

MOST_COMPARED = 300
_CPU_S, _TIME_S = 60, 90.0
_answers: BoundedCache[tuple[str, int, int, tuple[str, ...]], Mapping[str, Any]] = BoundedCache(32)


def compared_numbers(run: Run) -> IntArray:
    """Return the designs of a run to compare: its front, then others that the search found, at most `MOST_COMPARED`."""
    quantities = readers.quantities_of(run)
    designs = readers.load_designs(run, [quantity.name for quantity in quantities])
    front, counted = designs.front(quantities)[:MOST_COMPARED], np.flatnonzero(designs.counted(quantities))
    rest = np.setdiff1d(counted, front)
    places = np.linspace(0, len(rest) - 1, min(len(rest), MOST_COMPARED - len(front))).round().astype(np.int64)
    return np.concatenate([front, rest[np.unique(places)]]).astype(np.int64)


def cost_model_comparison(run: Run, models: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return the result of `engines.running.cost_models.compare_models` for a run, and the `numbers` of its designs.

    Args:
        run: with at least one design within its limits.
        models: names of cost models; by default that of the run, then all others.

    Raises:
        ProblemError: the engine takes no cost model of layers, the run has no such design, or a model is unknown.
        BusyError, UnansweredError: the process could not answer.
    """
    engine = get_engine(run.engine)
    if not has_cost_models(engine):
        raise ProblemError("run", engine.title, "a run of an engine that takes a cost model of layers")
    problem = pinned_problem(run)
    names = tuple(dict.fromkeys(models)) or cost_models_of(problem)
    key = (run.problem_hash, run.attempt, run.design_count, names)
    return _answers.made(key, lambda: _asked(run, problem, names))


def _asked(run: Run, problem: Any, names: tuple[str, ...]) -> Mapping[str, Any]:
    numbers = compared_numbers(run).tolist()
    if not numbers:
        raise ProblemError("run", "no designs", "a run with a design within its limits")
    decisions = [json.loads(text) for text in readers.decisions_at(run.pk, numbers)]
    memory_mb = memory_of(run)
    limits = ChildLimits(memory_mb=memory_mb, cpu_s=_CPU_S, time_s=_TIME_S)
    found = ask_child("cost_models", question_of(problem, decisions, names, memory_mb), "The comparison", limits)
    return {"numbers": numbers, **found}


def robust_sentences(found: Mapping[str, Any]) -> list[str]:
    """Return the sentences of a comparison: optimal designs, agreement of models, design with the least regret."""
    models, numbers = found["models"], found["numbers"]
    total, always, sometimes = (many(len(each), "design") for each in (numbers, found["always"], found["sometimes"]))
    sentences = [
        f"{total} compared under {many(len(models), 'cost model')}: {', '.join(models)}.",
        f"Optimal under every model: {always}. Optimal under at least one: {sometimes}.",
    ]
    for one, other, tau in found["agreement"]:
        if tau is not None:
            orders = f"the orders by {found['metric_title']} under {one} and {other}"
            sentences.append(f"Kendall's τ of {orders} is {tau:.2f}: 1 means the same order, 0 none in common.")
    place = found["least_regret"]
    loss = found["largest_regret"][place]
    if loss is not None:
        words = (
            "is best under every model" if loss == 0 else f"loses at most {100 * loss:.2g} % whichever model is right"
        )
        sentences.append(f"Design {numbers[place]} {words}, against the best of the compared designs.")
    return [*sentences, "A search under another cost model may find designs that this run lacks."]


def ratio_words(ratio: float, first: str, other: str) -> str:
    """Return an energy-delay product under `other` over that under `first`, in words with a factor above 1."""
    if math.isclose(ratio, 1.0, rel_tol=1e-3):
        return "equal"
    return f"{1 / ratio:.3g} × the EDP under {first}" if ratio < 1 else f"{ratio:.3g} × the EDP under {other}"


def disagreement_lines(found: Mapping[str, Any]) -> list[str]:
    """Return the layers that differ most between the first model and each other one, with their reasons."""
    layers, first = found["layers"], found["models"][0]
    lines = []
    for model, rows in layers["disagreements"].items():
        lines.append(f"Layers with the largest difference between {first} and {model}:")
        for each in rows:
            network, layer, unit = (layers[name][each["row"]] for name in ("network", "layer", "unit"))
            lines.append(
                f"  {network}, {layer} on {unit}: {ratio_words(each['ratio'], first, model)}. {sentence(each['reason'])}"
            )
    return lines
