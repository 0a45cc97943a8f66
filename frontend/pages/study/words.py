"""Words of the pages about studies: axes, values of axes, progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.engine import Engine
from frontend.components.form import empty_words, field_specs, format_value
from frontend.designs.run_words import StateKind
from frontend.figures.numbers import NO_BREAK, integer
from webapp.studies.document import SEED, short_name
from webapp.studies.service import Progress
from webapp.studies.tables import BASELINES, SEARCH

Titles = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class StudyState:
    """One word for how a study stands, the kind of its chip, and one fact next to it."""

    word: str
    kind: StateKind
    fact: str


def study_state(progress: Progress) -> StudyState:
    """Return the state of a study in words."""
    ended = progress.done + progress.failed + progress.stopped
    fact = f"{integer(ended)} of {integer(progress.total)}"
    if progress.running:
        return StudyState("Running", "acc", fact)
    if progress.queued:
        return StudyState("Queued", "", fact)
    if progress.failed:
        return StudyState("Failed", "bad", f"{integer(progress.failed)} of {integer(progress.total)}")
    if progress.stopped:
        return StudyState("Stopped", "warn", f"{integer(progress.done)} of {integer(progress.total)} done")
    if not progress.total:
        return StudyState("Empty", "", "no runs")
    return StudyState("Done", "good", f"{integer(progress.total)} runs" if progress.total > 1 else "one run")


def axis_title(axis: str, engine: Engine) -> str:
    """Return the title of an axis: that of its input or parameter."""
    if axis == SEED:
        return "Seed"
    if axis == BASELINES:
        return "Baselines"
    if not axis:
        return "Nothing"
    name = short_name(axis)
    if axis.startswith("inputs."):
        return engine.inputs[name].title if name in engine.inputs else name
    return next((spec.title for spec in field_specs(engine.Params) if spec.name == name), name)


def value_title(axis: str, value: Any, engine: Engine, titles: Titles) -> str:
    """Return the label of an axis value: title of the document, label of a choice, or number with unit."""
    name = short_name(axis)
    if axis.startswith("inputs."):
        return str(titles.get(name, {}).get(str(value), value))
    if not axis.startswith("params."):
        return str(value)
    spec = next((spec for spec in field_specs(engine.Params) if spec.name == name), None)
    if spec is None:
        return str(value)
    if spec.kind == "choice":
        return next((words for choice, words in spec.choices if choice == value), str(value))
    if spec.kind == "switch":
        return "On" if value else "Off"
    if isinstance(value, int | float):
        return f"{format_value(spec, value)}{NO_BREAK}{spec.unit}".strip()
    return (empty_words(spec) or "empty") if value is None else str(value)


def column_title(axis: str, head: Any, engine: Engine, titles: Titles) -> str:
    """Return the head of a column: a value of the axis across, or the name of a baseline."""
    return str(head) if axis in ("", BASELINES) or head == SEARCH else value_title(axis, head, engine, titles)
