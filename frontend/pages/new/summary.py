"""The summary rail of the New run page: estimate, fit, bounds, warnings, what is still wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Bound, Engine, Plan
from engines.contract.errors import BusyError, EngineError, ProblemError
from engines.running.time_limits import minutes_words
from frontend.components.form import (
    FieldSpec,
    changed_values,
    empty_words,
    field_errors,
    field_specs,
    format_value,
    help_text,
)
from frontend.components.icon import icon
from frontend.components.pictures.kpi import pairs
from frontend.components.states import notice
from frontend.components.time_limit import limit_error
from frontend.figures.numbers import NO_BREAK, many, si
from frontend.pages.drafts import SEED, Draft, default_title, seed_error, specs_of
from frontend.pages.words import time_range
from hardware.errors import Remedy
from webapp.catalogue.service import DocumentEntry
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.inputs.measurement_hooks import FIELD
from webapp.runs.inputs.planning import plan_of
from webapp.runs.models import Run
from webapp.runs.queue.learned_times import expected_s, time_factor
from webapp.runs.queue.workers import live_workers, waits_for
from webapp.runs.service import token_of

if TYPE_CHECKING:
    from webapp.teams.visibility import Principal

Entries = Mapping[str, Sequence[DocumentEntry]]


@dataclass(frozen=True)
class Judgement:
    """A draft judged: its plan, or what is wrong by field.

    Attributes:
        plan: None while something is wrong.
        parameters: parameter name -> what is wrong.
        slots: slot -> what is wrong.
        time_limit: mistake of the time limit.
        other: mistakes that belong to no field of the page.
        refused: whether every field can be read, but the engine refuses them together.
        got: refused value, in the engine's words.
        remedies: remedies of the refusal, as `ProblemError` has them.
        busy: whether nothing was found out, because others are being served; `other` says so.
        token: represents the problem and its time limit exactly; "" while something is wrong.
    """

    plan: Plan | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    time_limit: str = ""
    other: str = ""
    refused: bool = False
    got: str = ""
    remedies: tuple[Remedy, ...] = ()
    busy: bool = False
    token: str = ""

    @property
    def ready(self) -> bool:
        """Whether the run can be started."""
        return self.plan is not None


def judge(principal: Principal, draft: Draft, engine: Engine) -> Judgement:
    """Plan `draft`, or state the errors, each at its field."""
    try:
        problem = problem_from_document(principal, draft.document())
        return Judgement(plan=plan_of(problem), token=token_of(problem, draft.stop_after_minutes, draft.measure))
    except BusyError as error:  # nothing is wrong with the draft
        return Judgement(other=str(error), busy=True)
    except ProblemError as error:
        unreadable = unreadable_fields(draft, engine)
        if unreadable is not None:
            return unreadable
        got = str(error.got or "")
        got = f"no measurements of {got}" if error.field.startswith("operations.") else got
        return replace(judgement_of(error), refused=True, got=got, remedies=error.remedies)
    except EngineError as error:
        return Judgement(other=str(error))


def unreadable_fields(draft: Draft, engine: Engine) -> Judgement | None:
    """Return every field that cannot be read or is missing, where an error names only the first; None where there is none."""
    wrong = field_errors(engine.Params, draft.params)
    if seed_error(draft.seed):
        wrong = {**wrong, SEED: seed_error(draft.seed)}
    missing = {
        slot: f"Choose a {kind.kind}"
        for slot, kind in engine.inputs.items()
        if kind.required and not draft.inputs.get(slot)
    }
    limit = limit_error(draft.stop_after_minutes)
    return Judgement(parameters=wrong, slots=missing, time_limit=limit) if wrong or missing or limit else None


def judgement_of(error: ProblemError) -> Judgement:
    """Return the field that an error names, as the page knows it."""
    head, _, rest = error.field.partition(".")
    words = error.explained(f"Must be {error.accepted}. Got {error.got} instead")
    if head == "params" and rest:
        return Judgement(parameters={rest.partition(".")[0]: words})
    if head == "inputs" and rest:
        slot, _, key = rest.partition(".")
        return Judgement(slots={slot: f"{key}: {words}" if key else words})
    if head == FIELD:
        return Judgement(other=f"Measured during the search, {rest or 'all of it'}: {words}")
    return Judgement(slots={head: words}) if head in ("hardware", "workload") else Judgement(other=str(error))


def field_help(engine: Engine, judgement: Judgement) -> dict[str, tuple[str, bool]]:
    """Return the line under each field, and whether it is a mistake."""
    return {
        spec.name: (judgement.parameters[spec.name], True)
        if spec.name in judgement.parameters
        else (help_text(spec), False)
        for spec in specs_of(engine)
    }


def input_titles(draft: Draft, entries: Entries) -> dict[str, str]:
    """Return slot -> title of the chosen document."""
    found = {}
    for slot, reference in draft.inputs.items():
        name = reference.partition("@")[0]
        entry = _entry_of(entries.get(slot, ()), name)
        found[slot] = entry.title if entry else reference
    return found


def _entry_of(entries: Sequence[DocumentEntry], name: str) -> DocumentEntry | None:
    """Return the document of that name; a run names those of projects by their slug alone."""
    found = [entry for entry in entries if entry.name == name] or [entry for entry in entries if entry.slug == name]
    return found[0] if len(found) == 1 else None


def title_of(draft: Draft, engine: Engine, entries: Entries) -> str:
    """Return the name that the run gets if none is typed."""
    return default_title(input_titles(draft, entries), engine)


def summary(
    draft: Draft, engine: Engine, entries: Entries, judgement: Judgement, ways_out: Sequence[Component] = ()
) -> list[Component]:
    """Return the rail's content, top to bottom; `ways_out` stand below what is wrong."""
    parts: list[Component] = [_choices(draft, engine, entries)]
    if judgement.plan is None:
        return [*parts, html.Hr(className="hr"), _not_ready(judgement, engine), *ways_out]
    return [
        *_hopeless(judgement.plan),
        *parts,
        *_estimate(judgement.plan, draft, engine),
        *_checks(judgement.plan),
        *_bounds(judgement.plan, engine),
    ]


def _choices(draft: Draft, engine: Engine, entries: Entries) -> Component:
    """Return the engine and documents with room for their names, then the parameters that differ from their defaults."""
    chosen = [html.Div([html.Dt(name), html.Dd(value)]) for name, value in _document_lines(draft, engine, entries)]
    changed = _changed_lines(draft, engine)
    words = html.Div("All parameters have their default values", className="xs t3")
    return html.Div(
        [
            html.Dl(chosen, className="rail-choices"),
            html.Div([html.Div("Changed from the defaults", className="xs t3"), pairs(changed)]) if changed else words,
        ],
        className="stack",
    )


def _document_lines(draft: Draft, engine: Engine, entries: Entries) -> list[tuple[str, str]]:
    lines = [("Engine", f"{engine.title} {engine.version}")]
    for slot, reference in draft.inputs.items():
        name, _, pinned = reference.partition("@")
        entry = _entry_of(entries.get(slot, ()), name)
        version = pinned or (str(entry.version) if entry else "?")
        lines.append((engine.inputs[slot].title, f"{entry.title if entry else name}, v{version}"))
    return lines


def _changed_lines(draft: Draft, engine: Engine) -> list[tuple[str, str]]:
    specs = {spec.name: spec for spec in field_specs(engine.Params)}
    changed = changed_values(tuple(specs.values()), draft.params)
    lines = [(specs[name].title, _shown(specs[name], value)) for name, value in changed.items()]
    return [*lines, ("Seed", str(draft.seed))] if draft.seed else lines


def _shown(spec: FieldSpec, value: object) -> str:
    if spec.kind == "choice":
        return next((words for choice, words in spec.choices if choice == value), str(value))
    if spec.kind == "switch":
        return "On" if value else "Off"
    if value is None:
        return empty_words(spec) or "empty"
    try:
        return f"{format_value(spec, value)}{NO_BREAK}{spec.unit}" if spec.exponent else format_value(spec, value)
    except (TypeError, ValueError):
        return str(value)


def _not_ready(judgement: Judgement, engine: Engine) -> Component:
    """Return the errors, field by field, by the names next to them."""
    wrong = [*named(judgement.parameters, engine), *named(judgement.slots, engine)]
    wrong += [("Stop after", judgement.time_limit)] if judgement.time_limit else []
    if judgement.other or not wrong:
        return notice(judgement.other or "Something is missing", tone="warn")
    head = "One field needs a change:" if len(wrong) == 1 else f"{len(wrong)} fields need a change:"
    lines = [html.Div([html.B(title), f": {words}"]) for title, words in wrong]
    return notice(html.Div([html.Div(head), *lines], className="stack g4"), tone="warn")


def named(wrong: Mapping[str, str], engine: Engine) -> list[tuple[str, str]]:
    """Return mistakes by the titles of their fields: parameter or input slot -> words."""
    titles = {spec.name: spec.title for spec in specs_of(engine)}
    titles |= {slot: kind.title for slot, kind in engine.inputs.items()} | {SEED: "Seed"}
    return [(titles.get(name, name), words) for name, words in wrong.items()]


def limit_words(minutes: float | None, least_s: float) -> list[Component]:
    """Return the sentence on a time limit that is below the estimated run time."""
    if minutes is None or 60.0 * minutes >= least_s:
        return []
    words = f"Stops after {minutes_words(minutes)}, before its estimated end, and keeps the designs found so far."
    return [html.Div(words, className="xs t2")]


def _estimate(plan: Plan, draft: Draft, engine: Engine) -> list[Component]:
    minutes, factor = draft.stop_after_minutes, time_factor(engine.name)
    low_s, high_s = (expected_s((seconds, seconds), factor) for seconds in plan.time_s)
    words = time_range(low_s, high_s)
    number, unit = words.split(NO_BREAK) if words.count(NO_BREAK) == 1 else (words, "")
    time = html.Div(
        [html.Span(number, className="estimate num"), html.Span(f" {unit} on one worker", className="t2 sm")]
    )
    source = "" if factor == 1 else ", by the times of recent runs here"
    evaluations = html.Div(f"at most {many(plan.evaluations, 'evaluation')}{source}", className="xs t3")
    needs = [("Needs", ", ".join(sorted(plan.needs)))] if plan.needs else []
    lines = [("Memory of the run", si(plan.memory_mb * 1e6, "B")), *needs, ("Queue now", queue_now())]
    again = "exactly, with the same seed" if plan.determinism == "exact" else "on the same kind of device"
    again += " and the same measurements" if draft.measure else ""
    return [
        html.Hr(className="hr"),
        html.H3("Cost estimate", className="rail-title"),
        time,
        evaluations,
        *limit_words(minutes, low_s),
        html.Div(pairs([*lines, ("Repeatable", again)]), className="rail-pairs"),
        *waiting_note(plan.needs, expected_s(plan.time_s, factor), minutes),
    ]


def waiting_note(needs: Iterable[str], estimated_s: float, minutes: float | None) -> list[Component]:
    """Return a note that no running worker can execute the run, and how long it waits; empty otherwise."""
    missing = waits_for(needs, estimated_s, minutes)
    if missing is None:
        return []
    words = f"No running worker {missing}. The run stays queued and starts when one does"
    return [html.Div(notice(words, tone="warn"), className="rail-note")]


def queue_now() -> str:
    """Return the line on waiting runs and active workers."""
    waiting = Run.objects.filter(status="queued", wish="run").count()
    queue = f"{waiting} waiting" if waiting else "empty"
    return queue if live_workers() else f"{queue}, no worker running"


def _hopeless(plan: Plan) -> list[Component]:
    """Return the notice on impossible limits, placed at the top so that it is seen before the start."""
    return [
        html.Div(notice(f"{check.text}. The run would end as infeasible", tone="warn"), className="rail-first")
        for check in plan.checks
        if check.hopeless
    ]


def _checks(plan: Plan) -> list[Component]:
    if not plan.checks:
        return []
    lines = [
        html.Div(
            [
                icon("check" if check.ok else "alert-triangle", "s", "good" if check.ok else "warn"),
                html.Span(check.text, className="sm"),
            ],
            className="row top rail-check",
        )
        for check in plan.checks
    ]
    return [html.Hr(className="hr"), html.H3("Will it fit?", className="rail-title"), *lines]


def _bound_words(bound: Bound, engine: Engine) -> str:
    """Return a bound with the side on which designs lie. Others, such as the area of a given package, are plain values."""
    senses = {each.name: "at most " if each.sense == "maximise" else "at least " for each in engine.quantities}
    return f"{senses[bound.column] if bound.column else ''}{si(bound.value, bound.unit)}"


def _bounds(plan: Plan, engine: Engine) -> list[Component]:
    parts: list[Component] = []
    if plan.bounds:
        lines = [(bound.title, _bound_words(bound, engine)) for bound in plan.bounds]
        parts += [html.Hr(className="hr"), html.H3("Before it starts", className="rail-title"), pairs(lines)]
    return [*parts, *[html.Div(notice(note, tone="warn"), className="rail-note") for note in plan.notes]]
