"""The head of the run page: title, state, pinned versions, actions, progress and key figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import dash_mantine_components as dmc
import numpy as np
from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from engines.contract.errors import EngineError
from engines.contract.quantities import Quantity
from engines.contract.results import Curve
from engines.cost.calibration.public_comparison import MEASURED_IN_PUBLIC
from engines.cost.calibration.words import ROOFLINE
from engines.documents.builtin import get_builtin
from engines.registry import JOBS
from engines.running.time_limits import seconds_of
from frontend.components.button import button, link_button
from frontend.components.certainty import certainty_chip, quantity_sign
from frontend.components.chip import chip, imported_chip
from frontend.components.icon import icon
from frontend.components.items.changes_link import changes_link
from frontend.components.items.delete_link import delete_link
from frontend.components.items.marks import marks_line
from frontend.components.items.move_link import move_link
from frontend.components.items.share import share_control
from frontend.components.pictures.kpi import kpi, kpi_si
from frontend.components.pictures.spark import spark, thinned
from frontend.conversation_address import run_survey_address
from frontend.designs.answer import answer_of, baseline_wins, difference, difference_sentence
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import (
    bound_title,
    dominated_sentence,
    engine_of,
    engine_title,
    front_words,
    run_seconds,
    run_state,
)
from frontend.figures.numbers import duration, in_sentence, integer, many, si, significant
from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import bounds_of, curve_of
from frontend.pages.run.tabs.convergence import HYPERVOLUME, hypervolume_shown
from frontend.request import current_user
from hardware.family import DocumentKind
from webapp.annotations.marks import Marks
from webapp.catalogue.entries import name_of_content
from webapp.comparisons.certainty import estimator_of
from webapp.runs.bundles.import_mark import checked_words
from webapp.runs.results import readers
from webapp.runs.results.progress_estimate import seconds_left

if TYPE_CHECKING:
    from webapp.runs.models import Run, RunInput

_SHORT_NAMES = {"s": "Fastest", "J": "Least energy"}
_EXCESS = "buffer_excess_mb"
_MOST_CURVES = 4
_LONG_TITLE = 56  # letters; longer titles are set smaller, on two lines where need be


def _study_link(run: Run) -> list[Component]:
    """Return the study whose cell the run is."""
    if run.study is None or run.study.deleted is not None:
        return []
    link = dcc.Link(run.study.title, href=f"/studies/{run.study.pk}", className="el", title=f"Study {run.study.pk}")
    return [link, icon("chevron-right", "s")]


def header(run: Run, designs: RunDesigns, editable: bool, marks: Marks) -> Component:
    """Return the crumb with pinned versions, title with state, actions, progress line."""
    long = " long" if len(run.title) > _LONG_TITLE else ""
    title = html.Div(
        [
            html.H1(run.title, className=f"run-name{long}", title=run.title),
            html.Span(state_chip(run), id=RunIds.HEADER),
            imported_chip(checked_words(run)) if run.imported else None,
            html.Span(id=RunIds.BUFFER),
        ],
        className="row grow run-title-row",
    )
    return html.Div(
        [
            html.Div(
                [
                    _crumb(run),
                    marks_line(current_user(), "run", run.pk, marks, editable),
                    html.Span(className="sp"),
                    *_pinned(run),
                    *_survey_link(run),
                    changes_link("run", run.pk),
                    move_link("run", run.pk),
                    *delete_link("run", run.pk, editable),
                ],
                className="row run-crumb",
            ),
            html.Div(
                [
                    title,
                    html.Div(
                        [
                            share_control("run", run.pk),
                            html.Div(actions(run, editable), id=RunIds.ACTIONS, className="row"),
                        ],
                        className="row",
                    ),
                ],
                className="row between",
            ),
            html.Div(id=RunIds.ACTION_ERROR, role="alert"),
            html.Div(
                [html.Div(progress_line(run, designs), id=RunIds.PROGRESS, className="row g24 grow"), estimator(run)],
                className="row between run-line",
            ),
            html.Div(answer_line(run, designs), id=RunIds.ANSWER, className="run-answer"),
        ],
        className="head",
    )


def answer_line(run: Run, designs: RunDesigns) -> Component | None:
    """Return the answer of a run that has ended: the headline, and the rest when it is opened."""
    found = None if run.active else answer_of(designs, bounds_of(run, designs), unfinished=run.status != "done")
    if found is None:
        return None
    rest = [html.P([html.B(f"{label}: "), text]) for label, text in found.lines[1:] if label != "Why"]
    lines = [html.P(cause_line(found.why), id=RunIds.CAUSE), *rest]
    return html.Details([html.Summary(found.result), *lines], className="sm")


def cause_line(why: str) -> list[Component | str]:
    """Return the line of the answer that states its cause; empty if it is unknown."""
    return [html.B("Why: "), why] if why else []


def _crumb(run: Run) -> Component:
    return html.Nav(
        [
            dcc.Link("Runs", href="/"),
            icon("chevron-right", "s"),
            html.Span(run.project.title),
            icon("chevron-right", "s"),
            *_study_link(run),
            html.Span(f"run {run.pk:04d}", className="mono"),
        ],
        className="crumb",
        **{"aria-label": "Where you are"},
    )


def _pinned(run: Run) -> list[Component]:
    """Return the engine and the documents with their versions."""
    documents = [
        html.Span(
            chip(
                item.slug,
                html.Span(f"v{item.version}", className="t3"),
                title=f"{item.kind}, sha256 {item.content_hash}",
            ),
            className=f"pinned {item.slot}",
        )
        for item in run.listed_inputs
    ]
    return [chip(f"{engine_title(run.engine)} {run.engine_version}"), *documents]


def _name_of(item: RunInput) -> str:
    """Return the name of a pinned document: the built-in one, or one of a project whose newest version is the same; "" for none."""
    try:
        if get_builtin(cast(DocumentKind, item.kind), item.slug).content_hash() == item.content_hash:
            return item.slug
    except EngineError:
        pass
    return name_of_content(current_user(), item.kind, item.slug, item.content_hash)


def _survey_link(run: Run) -> list[Component]:
    """Return the survey of the same conversation on all boards, of a run with a language model that is still the same."""
    engine = engine_of(run.engine)
    if not run_survey_address(engine, {item.slot: item.slug for item in run.listed_inputs}, run.params):
        return []
    inputs = {item.slot: name for item in run.listed_inputs if (name := _name_of(item))}
    address = run_survey_address(engine, inputs, run.params)
    return [dcc.Link("All boards", href=address, title="Device survey of this conversation")] if address else []


def state_chip(run: Run) -> Component:
    """Return the state in a word, with its dot."""
    state = run_state(run, timezone.now())
    return chip(html.Span(className=f"dot {state.kind}"), state.word, tone=state.kind or "plain")


def actions(run: Run, editable: bool) -> list[Component]:
    """Return the buttons for the run in its state; exactly one is primary."""
    again = link_button(
        "Start from this", f"/new?from={run.pk}", icon="copy", kind="primary" if not run.active else "plain"
    )
    found: list[Component] = [export_menu(run)] if run.design_count or not run.active else []
    if run.design_count:
        found.append(_with_the_design(link_button("Compare", f"/compare?runs={run.pk}", icon="git-compare")))
        found.append(_with_the_design(link_button("Add to report", f"/reports/add?runs={run.pk}", icon="file-text")))
    if run.active:
        found.append(_told_at_the_end(run))
    if not editable:
        return [*found, again]
    if run.active:
        stopping = run.wish == "stop"
        hint = "Pause the run: all designs are stored, and Continue resumes from the same place"
        stop = button(
            "Stopping" if stopping else "Stop", id=_action("stop"), icon="player-stop", disabled=stopping, title=hint
        )
        return [*found, again, stop]
    if run.status in ("stopped", "failed") and not run.imported:
        hint = (
            "For the same time as its time limit"
            if run.time_limit_reached
            else "Resume from the last checkpoint; all designs are stored"
        )
        found.append(button("Continue", id=_action("continue"), icon="player-play", kind="primary", title=hint))
        again = link_button("Start from this", f"/new?from={run.pk}", icon="copy")
    return [*found, again]


def _told_at_the_end(run: Run) -> Component:
    """Return a button that `run_end.js` answers, and the place for its words."""
    label = "Notify me in this browser when the run ends, while this page is open"
    ask = html.Button(
        icon("bell"), className="ib", title=label, type="button",
        **{"aria-label": label, "aria-pressed": "false", "data-tell-end": str(run.pk)},
    )  # fmt: skip
    return html.Span([ask, html.Span(className="xs t2 nw", **{"aria-live": "polite"})], className="row")


def _with_the_design(link: Component) -> Component:
    """Return the link, whose address the browser completes by the design that is picked when it is used (`front.js`)."""
    return html.Span(link, **{"data-with-design": "true"})


def _action(name: str) -> dict[str, str]:
    return {"type": RunIds.ACTION_TYPE, "name": name}


def export_menu(run: Run) -> Component:
    """Return the files to take away."""
    base = f"/api/v1/runs/{run.pk}"
    entries = [
        ("Designs as CSV", f"{base}/designs.csv?bom=1", "table"),
        ("Designs as JSON", f"{base}/designs.json", "code"),
        ("Designs as Parquet", f"{base}/designs.parquet", "database"),
        ("Schedule as Chrome trace (Perfetto)", f"{base}/schedule.json", "chart-line"),
        ("Problem as JSON", f"{base}/problem.json", "file-text"),
        ("Whole run, for another installation", f"{base}/bundle.zip", "stack-2"),
    ]
    links = [
        html.A([icon(picture, "s"), words], href=href, className="menu-link", role="menuitem", download="")
        for words, href, picture in entries
    ]
    menu: Component = dmc.Menu(
        [dmc.MenuTarget(html.Div(button("Export", icon="download"))), dmc.MenuDropdown(links, p=6)],
        position="bottom-end",
        shadow=None,
        withinPortal=True,
        width=280,
    )
    return menu


def estimator(run: Run) -> Component | None:
    """Return the chip with the cost model of the metrics and its certainty."""
    found = estimator_of(run)
    if found is None:
        return None
    # The head has room for little: which calibration in which precision says more than the name of the model. Narrow windows have
    # the last word alone: the tab Provenance has all.
    short = html.Span(found.words.removeprefix(f"{ROOFLINE}, "), className="el estimator-words")
    chips = [certainty_chip(found.number, html.Span("Cost:"), short), *_public_chips(run)]
    return html.Span(chips, className="estimator row g4")


def _public_chips(run: Run) -> list[Component]:
    """Return the chips on public measurements of this network on this device, from the plan."""
    told = [str(note) for note in run.plan.get("notes", ()) if str(note).startswith(MEASURED_IN_PUBLIC)]
    return [chip("measured in public", tone="warn", icon="alert-triangle", title=" ".join(told))] if told else []


# -- progress and key figures -----------------------------------------------------------------------------------------


def progress_line(run: Run, designs: RunDesigns) -> list[Component]:
    """Return the evaluations and time over a bar, then the key figures."""
    line = html.Div(
        [_done_words(run), *_waiting(run), html.Span(time_words(run), className="sm t3 num nw")],
        className="row between",
    )
    percent = round(run.fraction * 100, 1)
    values = {
        "aria-valuenow": str(round(percent)),
        "aria-valuemin": "0",
        "aria-valuemax": "100",
        "aria-label": "Progress",
    }
    bar = html.Div(html.Div(style={"width": f"{percent}%"}), className="bar", role="progressbar", **values)
    return [html.Div([line, bar], className="run-progress"), *key_figures(run, designs)]


def _waiting(run: Run) -> list[Component]:
    """Return what it waits for, as the newest line of its log says, while that is a line of that kind."""
    words = readers.waits_for(run)
    return [html.Span(words, className="sm warn el run-doing", title=words)] if words else []


def _done_words(run: Run) -> Component:
    """Return evaluations, of so many; until the first, as while a network is trained, what the engine says that it does."""
    if not run.evaluations and run.message and run.outcome != "infeasible":
        return html.Span(run.message, className="sm num m5 el run-doing", title=run.message)
    planned, done = run.plan.get("evaluations") or 0, integer(run.evaluations)
    words = (
        f"{done} of {many(planned, 'evaluation')}"
        if run.active and planned
        else f"{many(run.evaluations, 'evaluation')}"
    )
    return html.Span(words, className="sm num m5 nw evaluations")


def time_words(run: Run) -> str:
    """Return the compute time so far, or the estimated rest at the recent pace."""
    now = timezone.now()
    seconds = run_seconds(run, now)
    if run.status == "queued":
        return "waits for a worker"
    left_s = seconds_left(run, now) if run.status == "running" and run.fraction > 0.02 else None
    if left_s is not None:
        limit_s = seconds_of(run.stop_after_minutes)
        if limit_s is not None and limit_s - run.computed_s < left_s:
            return f"stops in {duration(max(0.0, limit_s - run.computed_s))}"
        return f"{duration(left_s)} left"
    return duration(seconds) if seconds is not None else ""


def key_figures(run: Run, designs: RunDesigns) -> list[Component]:
    """Return the best values, size of the front, hypervolume, gap to the bound.

    While there are no designs, where the run's curves are.
    """
    best = designs.best(designs.primary)
    if best is None:
        if len(designs) and not designs.feasible.any():
            title = f"None of {many(len(designs), 'design')} meets every limit of the problem"
            return [kpi("Designs within the limits", "none", title=title)]
        return [] if len(designs) or run.engine in JOBS else _newest_values(run)
    primary = designs.quantity(designs.primary, best)
    value = float(designs.columns[primary.name][best])
    found = [
        kpi_si(f"Best {in_sentence(primary.title)}", value, primary.unit, sign=quantity_sign(primary)),
        *_best_baseline(designs, primary, value),
    ]
    bound = bounds_of(run, designs).get(primary.name)
    if bound and value:
        found.append(
            kpi(
                "Gap to bound",
                significant(bound / value if primary.sense == "maximise" else value / bound),
                "×",
                title=f"best {value!r}, {bound_title(primary)} {bound!r} {primary.unit}",
            )
        )
    found += [_extreme(designs, quantity) for quantity in designs.objectives if quantity.name != primary.name]
    found.append(_front_size(designs))
    return [*found, *_hypervolume(run, designs)]


def _newest_values(run: Run) -> list[Component]:
    """Return the newest value of the first series of each of the run's own curves of its progress."""
    found = []
    own = [result for result in readers.results(run).values() if isinstance(result, Curve)]
    for curve in [each for each in own if each.role == "progress" and each.series]:
        values = np.asarray(curve.series[0].y, np.float64)
        values = values[np.isfinite(values)]
        if len(values):
            series = curve.series[0]
            label = curve.title if len(curve.series) == 1 else f"{series.title}: {in_sentence(curve.title)}"
            summary = f"{label} over the run, now {significant(float(values[-1]))}"
            picture = spark(thinned(values.tolist()), summary=summary, height_px=20)
            found.append(kpi_si(label, float(values[-1]), series.unit, html.Span(picture, className="acc")))
    return found[:_MOST_CURVES]


def _best_baseline(designs: RunDesigns, primary: Quantity, best: float) -> list[Component]:
    """Return the best baseline by name, and by how much the better of both is better."""
    number = designs.best_baseline(primary.name)
    if number is None or not best:
        return []
    value, label = float(designs.columns[primary.name][number]), designs.label_of(number) or f"Design {number}"
    wins = baseline_wins(designs)
    told = difference_sentence(value, best, primary, "the best design") if wins else ""
    told = told or difference_sentence(best, value, primary, label)
    shown, unit = difference(value, best, primary) if wins else difference(best, value, primary)
    title = f"{label}: {primary.title} {si(value, primary.unit, 4)}. {'The baseline wins: ' if wins else 'Best design: '}{told}."
    name = str(designs.label[number]) or label  # its hardware stands in the title and in the answer: the line is full
    return [kpi(f"Baseline {name} wins" if wins else f"Against {name}", shown, unit, title=title)]


def _front_size(designs: RunDesigns) -> Component:
    points, dominated_by_baselines = designs.front_points, dominated_sentence(designs)
    number, _, unit = front_words(points, len(designs.front)).partition(" ")
    note = html.Span(dominated_by_baselines, className="kpi-note") if dominated_by_baselines else None
    alike = "" if points == len(designs.front) else "Designs with equal objectives share one trade-off"
    return kpi("On the front", number, unit, note, title=". ".join(filter(None, (alike, dominated_by_baselines))))


def buffer_warning(designs: RunDesigns, number: int | None) -> Component | None:
    """Return a chip where a layer of the picked design does not fit into its chiplet's buffer."""
    if number is None or number >= len(designs) or _EXCESS not in designs.columns:
        return None
    excess_mb = float(designs.columns[_EXCESS][number])
    if not excess_mb > 0:
        return None
    words = f"Buffer exceeded by {significant(excess_mb)}\u00a0MB"
    title = f"{designs.quantity(_EXCESS).help} This holds for the selected design; loading weights again is not in its figures."
    return chip(words, tone="warn", icon="alert-triangle", title=title)


def _extreme(designs: RunDesigns, quantity: Quantity) -> Component:
    number = designs.best(quantity.name)
    words = "Highest" if quantity.sense == "maximise" else "Lowest"
    label = f"{words} {in_sentence(quantity.title)}"
    if sum(each.unit == quantity.unit for each in designs.objectives) == 1:  # two energies would have one name
        label = _SHORT_NAMES.get(quantity.unit, label)
    value = None if number is None else float(designs.columns[quantity.name][number])
    return kpi_si(label, value, quantity.unit, sign=quantity_sign(designs.quantity(quantity.name, number)))


def _hypervolume(run: Run, designs: RunDesigns) -> list[Component]:
    curve = curve_of(run)
    shown, unit, reference = hypervolume_shown(curve, designs)
    values = [float(value) for value in shown if value == value]
    if not values:
        return []
    picture = spark(thinned(values), summary=f"Hypervolume over the run, now {si(values[-1], unit)}", height_px=20)
    return [kpi_si(HYPERVOLUME, values[-1], unit, html.Span(picture, className="acc"), note=reference)]
