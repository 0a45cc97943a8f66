"""The rail of the form of a new study: cells, summed estimate, what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.errors import BusyError, EngineError, ProblemError
from engines.running.time_limits import minutes_words
from frontend.components.pictures.kpi import pairs
from frontend.components.states import notice
from frontend.figures.numbers import integer, many, si
from frontend.pages.new.summary import named, queue_now, waiting_note
from frontend.pages.study.new.form import StudyDraft
from frontend.pages.study.words import axis_title
from frontend.pages.words import short_count, time_range
from hardware.documents import dump_yaml
from webapp.runs.queue.workers import live_workers
from webapp.studies.cell_checks import StudyEstimate, check
from webapp.studies.document import Grid, read_grid
from webapp.teams.visibility import Principal

_MOST_MISFITS = 4


@dataclass(frozen=True)
class StudyJudgement:
    """A draft judged: what it will take, or what is wrong by field.

    Attributes:
        grid: the cells; None where the document cannot be read at all.
        estimate: None while something is wrong.
        token: represents all problems and their time limit exactly; "" while something is wrong.
        parameters, slots: name -> what is wrong there.
        seeds, time_limit, other: mistakes of the seeds, of the time limit, and of no single field.
    """

    grid: Grid | None = None
    estimate: StudyEstimate | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    seeds: str = ""
    time_limit: str = ""
    other: str = ""
    token: str = ""


def judge(principal: Principal, draft: StudyDraft) -> StudyJudgement:
    """Check and plan every cell, or state the error at its field."""
    grid: Grid | None = None
    try:
        grid = read_grid(draft.document())
        checked = check(principal, draft.document())
        return StudyJudgement(grid, checked.estimate, token=checked.token)
    except BusyError as error:  # nothing is wrong with the draft
        return StudyJudgement(grid, other=str(error))
    except ProblemError as error:
        return _judgement_of(error, grid)
    except EngineError as error:
        return StudyJudgement(grid, other=str(error))


def _judgement_of(error: ProblemError, grid: Grid | None) -> StudyJudgement:
    head, _, rest = error.field.partition(".")
    words = error.explained(f"Must be {error.accepted}. Got {error.got} instead")
    name = rest.partition(".")[0]
    if head == "params" and name:
        return StudyJudgement(grid, parameters={name: words})
    if head == "inputs" and name:
        return StudyJudgement(grid, slots={name: words})
    if head in ("seed", "seeds"):
        return StudyJudgement(grid, seeds=words)
    if head == "stop_after_minutes":
        return StudyJudgement(grid, time_limit=words)
    return StudyJudgement(grid, other=str(error))


def summary(engine: Engine, judgement: StudyJudgement) -> list[Component]:
    """Return the cells and what they are made of, then the estimate or what is wrong."""
    parts: list[Component] = []
    if judgement.grid is not None:
        number = html.Span(integer(judgement.grid.size), className="estimate num")
        words = html.Span(" cell" if judgement.grid.size == 1 else " combinations, one run each", className="t2 sm")
        axes = [(axis_title(axis.name, engine), integer(len(axis.values))) for axis in judgement.grid.varying]
        parts += [html.Div([number, words]), html.Div(pairs(axes), className="rail-pairs") if axes else html.Div()]
    if judgement.estimate is None:
        return [*parts, html.Div(notice(_wrong(judgement, engine), tone="warn"), className="rail-note")]
    minutes = None if judgement.grid is None else judgement.grid.stop_after_minutes
    return [*parts, *_estimate(judgement.estimate, minutes)]


def _wrong(judgement: StudyJudgement, engine: Engine) -> str:
    """Return the first mistake, by the name of its field."""
    fields = named(judgement.parameters, engine) + named(judgement.slots, engine)
    if judgement.seeds:
        fields.insert(0, ("Seeds", judgement.seeds))
    if judgement.time_limit:
        fields.insert(0, ("Stop after", judgement.time_limit))
    return judgement.other or next((f"{title}: {words}" for title, words in fields if words), "Something is missing")


def _estimate(estimate: StudyEstimate, minutes: float | None) -> list[Component]:
    workers = len(live_workers())
    lines = [
        ("Evaluations", f"at most {short_count(estimate.evaluations)}"),
        ("Workers now", integer(workers)),
        ("Longest run", time_range(estimate.longest_s, estimate.longest_s)),
        *([("Each run stops after", minutes_words(minutes))] if minutes is not None else []),
        ("Memory of a run", si(estimate.memory_mb * 1e6, "B")),
        *([("Needs", ", ".join(sorted(estimate.needs)))] if estimate.needs else []),
        ("Queue now", queue_now()),
    ]
    parts: list[Component] = [
        html.Hr(className="hr"),
        html.H3("Cost estimate", className="rail-title"),
        html.Div(html.Span(time_range(*estimate.time_s), className="estimate num")),
        html.Div("for all runs on one worker", className="xs t3"),
        html.Div(pairs(lines), className="rail-pairs"),
        *waiting_note(estimate.needs, estimate.longest_s, minutes),
    ]
    if estimate.misfits:
        parts.append(html.Div(notice(_misfit_words(estimate), tone="warn"), className="rail-note"))
    return [*parts, *[html.Div(notice(note, tone="warn"), className="rail-note") for note in estimate.notes]]


def _misfit_words(estimate: StudyEstimate) -> str:
    """Return the sentences on combinations that violate a limit by their plan."""
    count = len(estimate.misfits)
    if count == estimate.cells == 1:
        return f"This check fails: {estimate.misfits[0].rpartition(': ')[2]}"
    limits = {words.rpartition(": ")[2] for words in estimate.misfits}
    if count == estimate.cells and len(limits) == 1:
        return f"This check fails in every combination: {limits.pop()}"
    shown = "; ".join(estimate.misfits[:_MOST_MISFITS]) + (" …" if count > _MOST_MISFITS else "")
    return f"This check fails in {integer(count)} of {many(estimate.cells, 'combination')}: {shown}"


def document_text(draft: StudyDraft) -> str:
    """Return the study document as YAML, for a file."""
    return dump_yaml(draft.document(), sort_keys=False, default_flow_style=None, width=72)
