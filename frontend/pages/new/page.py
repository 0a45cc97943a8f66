"""New run: engine, inputs and parameters on one page, with a side panel that estimates the effort.

The address keeps engine and inputs; `?from=<run id>` fills everything in from a run. Without either
the page asks what is to be decided.
"""

from __future__ import annotations

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.errors import ProblemError
from engines.registry import engine_names, get_engine, installed_engines
from frontend.components.button import button, link_button
from frontend.components.draft import draft as marked_draft
from frontend.components.items.deleted_item import gone_page, nothing_page
from frontend.components.limits import left_beside_start
from frontend.components.shell.shell import remembered_scheme
from frontend.components.time_limit import time_limit_field
from frontend.figures.numbers import in_sentence
from frontend.ids.new import NewIds
from frontend.pages.drafts import Draft, command
from frontend.pages.new.chooser import MOST_RECENT, choice
from frontend.pages.new.initial_draft import asked_engine, entries_of, offered, opening_draft
from frontend.pages.new.input_fixes import mends
from frontend.pages.new.sections import Entries, sections
from frontend.pages.new.start_conditions import mend_buttons, opening_state
from frontend.pages.new.summary import Judgement, judge, summary, title_of
from frontend.request import current_user
from webapp.catalogue.service import get_entry
from webapp.runs.service import engines_of_late
from webapp.teams.visibility import NotVisible, Principal


def layout(**query: str) -> Component:
    """Return the page for the signed-in user; `query` is what stands in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    if not any(query.get(name) for name in ("from", "engine", *_slots())):
        return _choice(principal)
    try:
        draft, title = opening_draft(principal, query)
    except NotVisible:
        return gone_page(principal, "run", query.get("from"), "The run to copy does not exist")
    missing = _missing(principal, query)
    if missing is not None:
        return missing
    asked = query.get("engine") or query.get("from")
    return page(principal, draft, title, unfolded=not asked, choose=query.get("choose", ""))


dash.register_page(__name__, path="/new", name="New run", title="New run · Paretoscope", layout=layout)


def _missing(principal: Principal, query: dict[str, str]) -> Component | None:
    """Return the page of an address that names an engine or a document that does not exist; None where all of them do."""
    ways = [link_button("All engines", "/new")]
    engine = query.get("engine")
    if engine and engine not in engine_names():
        return nothing_page(f"There is no engine {engine[:80]}", "Choose one of the engines of this site.", ways)
    for slot, kind in () if query.get("from") else asked_engine(query).inputs.items():
        name = query.get(slot, "").partition("@")[0]
        try:
            if name:
                get_entry(principal, kind.kind, name)
        except ProblemError:
            return gone_page(
                principal, "document", f"{kind.kind}/{name}", f"This {kind.kind} does not exist here", ways
            )
    return None


def _slots() -> set[str]:
    """Return the slots of all engines: an address that fills one has something to open with."""
    return {slot for engine in installed_engines() for slot in engine.inputs}


def _choice(principal: Principal) -> Component:
    """Return what is asked first: nothing is filled in, and nothing judged, before a person has said what is to be decided."""
    words = html.Span("What is to be decided? Inputs and limits come next.", className="sm t2")
    head = html.Div([html.H1("New run"), words], className="head edge row g12")
    chosen = choice(installed_engines(), engines_of_late(principal, MOST_RECENT))
    return html.Div([head, html.Div(chosen, className="page")])


def page(principal: Principal, draft: Draft, title: str, *, unfolded: bool = False, choose: str = "") -> Component:
    """Return everything below the bar.

    Args:
        principal: who looks.
        draft: content of the form.
        title: title of the run; "" for the default one.
        unfolded: whether all engines are shown, as where none was asked for.
        choose: the slot whose document the person is asked to choose.
    """
    engine = get_engine(draft.engine)
    entries = entries_of(principal, engine, draft.inputs)
    judgement = judge(principal, draft, engine)
    words = html.Span(f"from run {draft.parent}", className="sm t3") if draft.parent else None
    head = html.Div([html.H1("New run"), words], className="head edge row g12")
    chosen = offered(principal, engine, unfolded=unfolded)
    main = html.Div(
        sections(draft, engine, chosen, entries, remembered_scheme(), _asked_to_choose(draft, engine, choose)),
        id=NewIds.SECTIONS,
        className="new-main",
    )
    return html.Div(
        [
            dcc.Location(id=NewIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=NewIds.DRAFT, data=draft.to_json()),
            dcc.Store(id=NewIds.JUDGED, data=opening_state(judgement.token, draft, engine)),
            *(dcc.Store(id=each) for each in (NewIds.CHOOSING, NewIds.STARTING, NewIds.AGAIN)),
            head,
            html.Div([main, _rail(principal, draft, engine, entries, title, judgement)], className="page new-page"),
        ],
        **marked_draft("engine", "from"),
    )


def _asked_to_choose(draft: Draft, engine: Engine, slot: str) -> str:
    """Return the notice above a form in which only one document is missing."""
    if slot not in engine.inputs or slot in draft.inputs:
        return ""
    title = in_sentence(engine.inputs[slot].title)
    return f"All inputs are those of run {draft.parent}. Choose your own {title} below, or upload it."


def _rail(
    principal: Principal, draft: Draft, engine: Engine, entries: Entries, title: str, judgement: Judgement
) -> Component:
    default = title_of(draft, engine, entries)
    field = html.Div(
        [
            html.Label("Title", htmlFor=NewIds.TITLE),
            dmc.TextInput(
                id=NewIds.TITLE,
                value=title,
                placeholder=default,
                size="xs",
                inputProps={"maxLength": 200},
                **{"aria-label": "Title"},
            ),
        ],
        className="field",
    )
    ways_out = mend_buttons(mends(principal, draft, engine, entries, judgement))
    limit = time_limit_field(draft.stop_after_minutes, NewIds.STOP_AFTER, NewIds.STOP_AFTER_HELP)
    start = button(
        "Start run",
        id=NewIds.START,
        icon="player-play",
        kind="primary",
        size="large",
        disabled=True,  # until the browser has compared the form with the summary
    )
    shell = html.Details(
        [
            html.Summary("Same from the command line", className="sm t2"),
            html.Pre(command(draft), id=NewIds.COMMAND, className="mono command"),
        ]
    )
    copy = button("Copy as command", id=NewIds.COPY, icon="copy", kind="quiet", size="small")
    return html.Aside(
        [
            html.Div(html.H2("Summary", className="section-title"), className="ch"),
            html.Div(
                [
                    field,
                    limit,
                    html.Hr(className="hr"),
                    html.Div(
                        summary(draft, engine, entries, judgement, ways_out),
                        id=NewIds.SUMMARY,
                        **{"aria-live": "polite"},
                    ),
                ],
                className="rail-body",
            ),
            html.Div(
                [html.Div(id=NewIds.START_ERROR, role="alert"), *left_beside_start(principal), start, copy, shell],
                className="rail-foot stack",
            ),
        ],
        className="card new-rail",
        **{"aria-label": "Summary"},
    )
