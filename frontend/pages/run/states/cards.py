"""Cards of the run page in place of, or above, its figures: queued, infeasible, failed, stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from engines.contract.engine import Infeasibility
from engines.errata import errata_of
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.icon import icon
from frontend.components.states import failed_state, infeasible_state
from frontend.components.time_limit import minutes_box
from frontend.designs.run_words import engine_of, limit_reached, percent_done, run_seconds
from frontend.figures.numbers import duration, many
from frontend.ids.run import RunIds
from frontend.pages.run.states.queue import queue_strip

if TYPE_CHECKING:
    from webapp.runs.models import Run


def state_card(run: Run, editable: bool) -> Component | None:
    """Return the card for a run without, or with unfinished, designs; None where the figures say everything."""
    if run.outcome == "infeasible":
        return card("Infeasible: the limits cannot be met", _infeasible(run), class_name=_card_class(run))
    if run.status == "failed":
        return card("Failed", _failed(run, editable), class_name=_card_class(run))
    if run.time_limit_reached:
        return _out_of_time(run, editable)
    if run.status == "stopped":
        onward = " Continue resumes from here." if run.step_number else " Continue begins again."
        hint = "" if run.imported else onward
        return _strip(f"Stopped at {percent_done(run)}. {_kept(run)}{hint if editable else ''}", "player-stop")
    if run.status == "importing":
        words = f"{run.message}: {percent_done(run)} is stored. This page shows the run when it is complete."
        return _strip(f"{words} An import that does not end well is deleted by itself.", "upload")
    if run.status == "queued":
        return queue_strip(run)
    if run.status == "running" and run.attempt > 1 and not run.design_count:
        return _strip(f"Attempt {run.attempt}: {_last_reason(run)}", "refresh")
    return None


def errata_strip(run: Run) -> Component | None:
    """Return the corrections of values that the run lacks, with a link to run it again; None where there are none."""
    errata = errata_of(run.engine, run.engine_version)
    if not errata:
        return None
    right = max(erratum.version for erratum in errata)
    words = (
        f"Version {right} of the engine corrected values, and version {run.engine_version} made this run. "
        f"Corrected since: {' '.join(erratum.values for erratum in errata)} The stored metrics of this run are unchanged."
    )
    again = link_button("Run again", f"/new?from={run.pk}", icon="refresh", size="small")
    return html.Div([icon("alert-triangle", "s"), html.Span(words), again], className="strip warn run-strip")


def _card_class(run: Run) -> str:
    """Return the class of the card, which hides empty figures if the run will have no designs."""
    return "run-state-card alone" if not run.design_count else "run-state-card"


def _strip(words: str, picture: str, *more: Component) -> Component:
    return html.Div(
        [icon(picture, "s"), html.Span(words, className="el", title=words), *more], className="strip run-strip plain"
    )


def _out_of_time(run: Run, editable: bool) -> Component:
    """Return the plain fact, and how to continue: with as many minutes as one says."""
    words = f"Stopped: {limit_reached(run)}, at {percent_done(run)}. {_kept(run)}"
    if not editable or run.imported:
        return _strip(words, "clock")
    limit = run.stop_after_minutes or 0.0
    box = minutes_box(
        round(limit, 2) or limit, {"type": RunIds.MORE_TYPE, "name": "minutes"}, "no limit", "Continue for"
    )
    go_on = {"type": RunIds.ACTION_TYPE, "name": "continue-for"}
    acting = [
        html.Span("Continue for", className="nw"),
        html.Div(box, className="more-minutes"),
        button("Continue for this time", id=go_on, icon="player-play", size="small"),
    ]
    return _strip(words, "clock", html.Span(className="sp"), html.Div(acting, className="row g8"))


def _infeasible(run: Run) -> Component:
    detail = run.outcome_detail
    remedies = [(str(item.get("text", "")), str(item.get("field", ""))) for item in detail.get("remedies", [])]
    nan = float("nan")
    found = Infeasibility(
        limit=str(detail.get("limit", "")),
        demand=_number(detail.get("demand"), nan),
        bound=_number(detail.get("bound"), nan),
        unit=str(detail.get("unit", "")),
        gap=_number(detail.get("gap"), nan),
        remedies=tuple(remedies),
    )
    links = [
        dcc.Link(_remedy_words(run.engine, field), href=f"/new?from={run.pk}", className="link")
        for _, field in remedies
    ]
    return infeasible_state(found, f"run {run.pk:04d}, {duration(run_seconds(run, timezone.now()))}", links)


def _number(value: Any, missing: float) -> float:
    return missing if value is None else float(value)


def _remedy_words(engine_name: str, field: str) -> str:
    """Return the text of a link that changes a field, with the field's title in the form."""
    head, _, rest = field.partition(".")
    if head == "params" and rest:
        engine = engine_of(engine_name)
        known = engine.Params.model_fields.get(rest) if engine else None
        return f"Change “{known.title}”" if known and known.title else f"Change {rest}"
    return {"hardware": "Change hardware", "workload": "Change workload"}.get(rest or head, "Start from this")


def _failed(run: Run, editable: bool) -> Component:
    detail = run.outcome_detail
    reasons = detail.get("reasons") or run.attempt_reasons
    what = str(detail.get("text") or "The run ended with an error.")
    where = "; ".join(
        f"attempt {reason.get('attempt')}: {str(reason.get('reason', '')).rstrip('.')}" for reason in reasons[-3:]
    )
    trace = str(detail.get("traceback") or "") or "\n".join(detail.get("log_tail") or [])
    actions: list[Component] = []
    if editable:
        name = {"type": RunIds.ACTION_TYPE, "name": "continue-here"}
        actions.append(button("Continue", id=name, icon="player-play", kind="primary", size="small"))
    actions.append(link_button("Start from this", f"/new?from={run.pk}", size="small"))
    actions.append(
        button(
            "Log",
            id={"type": RunIds.TAB_TYPE, "name": "log", "place": "card"},
            icon="file-text",
            kind="quiet",
            size="small",
        )
    )
    facts = f"run {run.pk:04d}, at {percent_done(run)}, attempt {run.attempt}"
    return failed_state(what, f"{where}." if where else "", _kept(run), _tail(trace), actions, facts)


def _tail(text: str, lines: int = 6) -> str:
    return "\n".join(text.strip().splitlines()[-lines:])


def _kept(run: Run) -> str:
    if not run.design_count:
        return "No designs are stored yet."
    if run.design_count == 1:
        return "1 design is stored; it is not lost."
    return f"{many(run.design_count, 'design is', 'designs are')} stored; nothing is lost."


def _last_reason(run: Run) -> str:
    return str(run.attempt_reasons[-1].get("reason", "starting again")) if run.attempt_reasons else "starting again"
