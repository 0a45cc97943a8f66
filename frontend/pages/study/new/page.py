"""New study: engine, inputs, parameters and seeds on one page, and a rail that says what all cells will take.

The address keeps engine and inputs; `?from=<study id>` fills everything in from a study, `?preset=<name>` from one that ships.
"""

from __future__ import annotations

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.registry import engine_names, get_engine
from frontend.components.button import button
from frontend.components.chip import chip
from frontend.components.draft import draft as marked_draft
from frontend.components.items.deleted_item import gone_page
from frontend.components.limits import left_beside_start
from frontend.components.time_limit import time_limit_field
from frontend.designs.run_words import engine_of
from frontend.ids.study import NewStudyIds
from frontend.pages.new.initial_draft import asked_engine, entries_of
from frontend.pages.study.new.form import StudyDraft, draft_of_document, fresh_draft, opening_state
from frontend.pages.study.new.sections import sections
from frontend.pages.study.new.summary import StudyJudgement, document_text, judge, summary
from frontend.request import current_user
from webapp.studies.presets import find_preset, presets
from webapp.studies.service import default_title, get_study
from webapp.teams.visibility import NotVisible, Principal


def layout(**query: str) -> Component:
    """Return the page for the signed-in user; `query` is what stands in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    try:
        draft = opening_draft(principal, query)
    except NotVisible:
        return gone_page(principal, "study", query.get("from"), "The study to copy does not exist")
    return page(principal, draft)


# Dash takes the first page in its order that fits; that of a study would take "new" for a number.
dash.register_page(
    __name__, path="/studies/new", name="New study", title="New study · Paretoscope", layout=layout, order=1
)


def opening_draft(principal: Principal, query: dict[str, str]) -> StudyDraft:
    """Return the draft that an address asks for.

    Raises:
        NotVisible: `from` names a study that `principal` may not see.
    """
    if query.get("from"):
        study = get_study(principal, query["from"])
        if engine_of(study.engine):
            return draft_of_document(study.document)
    preset = find_preset(query.get("preset", ""))
    if preset is not None:
        return draft_of_document(preset.document)
    engine = asked_engine(query)
    entries = entries_of(principal, engine)
    return fresh_draft(engine, {slot: [entry.name for entry in found] for slot, found in entries.items()}, query)


def page(principal: Principal, draft: StudyDraft) -> Component:
    """Return the content of the page below the navigation bar."""
    engine = get_engine(draft.engine)
    engines = [found for found in map(engine_of, engine_names()) if found]
    judgement = judge(principal, draft)
    head = html.Div(html.H1("New study"), className="head edge row g12")
    main = html.Div(
        sections(draft, engine, engines, entries_of(principal, engine)), id=NewStudyIds.SECTIONS, className="new-main"
    )
    return html.Div(
        [
            dcc.Location(id=NewStudyIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=NewStudyIds.JUDGED, data=opening_state(judgement.token, draft, engine)),
            *(
                dcc.Store(id=each)
                for each in (NewStudyIds.ADDRESS, NewStudyIds.CHOOSING, NewStudyIds.STARTING, NewStudyIds.AGAIN)
            ),
            head,
            preset_links("head edge row g8 wrap"),
            html.Div([main, _rail(principal, draft, judgement)], className="page new-page"),
        ],
        **marked_draft("engine", "from", "preset"),
    )


def preset_links(class_name: str) -> Component:
    """Return the links that fill the form in with the studies that ship."""
    links = [
        dcc.Link(
            chip(preset.title, tone="line"), href=f"/studies/new?preset={preset.slug}", title=f"Fill in: {preset.title}"
        )
        for preset in presets()
    ]
    return html.Nav(
        [html.Span("Presets:", className="sm t3"), *links],
        className=class_name,
        **{"aria-label": "Study presets"},
    )


def title_of(judgement: StudyJudgement) -> str:
    """Return the default title of a study."""
    return default_title(judgement.grid) if judgement.grid else "Study"


def _rail(principal: Principal, draft: StudyDraft, judgement: StudyJudgement) -> Component:
    title: Component = dmc.TextInput(
        id=NewStudyIds.TITLE,
        value=draft.title,
        placeholder=title_of(judgement),
        size="xs",
        inputProps={"maxLength": 200},
        **{"aria-label": "Title"},
    )
    field = html.Div([html.Label("Title", htmlFor=NewStudyIds.TITLE), title], className="field")
    limit = time_limit_field(draft.stop_after_minutes, NewStudyIds.STOP_AFTER, NewStudyIds.STOP_AFTER_HELP)
    start = button(
        "Start study",
        id=NewStudyIds.START,
        icon="player-play",
        kind="primary",
        size="large",
        disabled=not judgement.token,
    )
    file = html.Details(
        [
            html.Summary("Same from a file: paretoscope study", className="sm t2"),
            html.Pre(document_text(draft), id=NewStudyIds.DOCUMENT, className="mono command tall"),
        ]
    )
    shown = summary(get_engine(draft.engine), judgement)
    return html.Aside(
        [
            html.Div(html.H2("Summary", className="section-title"), className="ch"),
            html.Div(
                [
                    field,
                    limit,
                    html.Hr(className="hr"),
                    html.Div(shown, id=NewStudyIds.SUMMARY, **{"aria-live": "polite"}),
                ],
                className="rail-body",
            ),
            html.Div(
                [html.Div(id=NewStudyIds.START_ERROR, role="alert"), *left_beside_start(principal), start, file],
                className="rail-foot stack",
            ),
        ],
        className="card new-rail",
        **{"aria-label": "Summary"},
    )
