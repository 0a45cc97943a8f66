"""The page on which a report is written: its text, blocks to put in, and how it will read.

The address says which report is changed (`?report=7`); without one a new report begins.
"""

from __future__ import annotations

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.titles import LONGEST_TITLE
from frontend.components.button import button, link_button
from frontend.components.draft import draft
from frontend.components.items.deleted_item import gone_page
from frontend.ids.report import ReportIds as Ids
from frontend.pages.compare.head import run_choices
from frontend.pages.report.canvas import page_canvas
from frontend.pages.report.view import body_of, crumb
from frontend.request import chosen_project, current_user
from webapp.reports.blocks import KINDS, LONGEST_TEXT, parts_of
from webapp.reports.models import Report, ReportVersion
from webapp.reports.service import get_report, version_of
from webapp.teams.visibility import NotAllowed, NotVisible, Principal, editable_projects, require_edit

# What a new report begins with: a way to write, not an example of a result.
FIRST_QUESTION = "What is to be decided, and for which network and hardware?"
FIRST_FINDING = (
    "Choose *Insert* above, or *Add to report* on a run page. The block shows the answer of the run and its front."
)
FIRST_TEXT = f"""## Question

{FIRST_QUESTION}

## What was found

{FIRST_FINDING}

## Caveats

[[caveats]]
"""
HELP = "Markdown. A block has a line of its own, such as [[front run=12]]."


def layout(**query: str) -> Component:
    """Return the page for the signed-in user."""
    user = current_user()
    if not user.is_authenticated:
        return html.Div()
    report = version = None
    try:
        if query.get("report"):
            report = get_report(user, query["report"])
            require_edit(user, report)
            version = version_of(user, report)
    except (NotVisible, NotAllowed) as error:
        actions = [link_button("All reports", "/reports", kind="primary", size="small")]
        words = "It does not exist, or you may not change it." if isinstance(error, NotVisible) else str(error)
        return gone_page(user, "report", query["report"], "This report cannot be changed here", actions, words)
    return _page(user, report, version)


dash.register_page(__name__, path="/reports/edit", name="Write", title="Write a report · Paretoscope", layout=layout)


def _page(user: Principal, report: Report | None, version: ReportVersion | None) -> Component:
    text = FIRST_TEXT if version is None else version.text
    title = dmc.TextInput(
        id=Ids.TITLE,
        value="" if version is None else version.title,
        placeholder="What is this report about?",
        classNames={"root": "grow", "input": "compare-title"},
        variant="unstyled",
        inputProps={"maxLength": LONGEST_TITLE},
        **{"aria-label": "Title of the report"},
    )
    save = button("Save", id=Ids.SAVE, icon="check", kind="primary")
    cancel = link_button("Back", f"/reports/{report.pk}" if report else "/reports", kind="quiet")
    preview = html.Div(
        body_of(user, parts_of(text), page_canvas()),
        id=Ids.PREVIEW,
        className="report-page card",
        **{"aria-label": "Preview"},
    )
    write = html.Div([_inserting(user), _text(text), html.Div(HELP, className="xs t3")], className="stack")
    return html.Div(
        [
            dcc.Location(id=Ids.LOCATION, refresh="callback-nav"),
            dcc.Store(id=Ids.NUMBER, data=report.pk if report else 0),
            dcc.Store(id=Ids.SEEN, data=version.number if version else 0),
            html.Div(
                [
                    crumb(*([report.title, "edit"] if report else ["new"])),
                    html.Div(
                        [
                            html.H1("Write a report", className="visually-hidden"),
                            title,
                            _project(user, report),
                            cancel,
                            save,
                        ],
                        className="row between",
                    ),
                    html.Div(id=Ids.SAVED, role="alert"),
                ],
                className="head edge compare-head",
            ),
            html.Div([write, preview], className="page report-panes"),
        ],
        **draft("report"),
    )


def _project(user: Principal, report: Report | None) -> Component:
    """Return the project selector of a new report; a stored report keeps its project."""
    data = [{"value": project.slug, "label": project.title} for project in editable_projects(user)]
    control: Component = dmc.Select(
        id=Ids.PROJECT, data=data, value=report.project.slug if report else str(chosen_project(user).slug), size="xs",
        allowDeselect=False, disabled=report is not None, w=180, **{"aria-label": "Project"},
    )  # fmt: skip
    return control


def _inserting(user: Principal) -> Component:
    """Return a block and a run to put in at the end of the text."""
    kinds = [{"value": name, "label": kind.words} for name, kind in KINDS.items()]
    kind = dmc.Select(
        id=Ids.KIND, data=kinds, value="front", size="xs", w=230, allowDeselect=False, **{"aria-label": "Block"}
    )
    run = dmc.MultiSelect(
        id=Ids.RUN, data=run_choices(user, set()), value=[], placeholder="Runs", searchable=True, size="xs",
        maxValues=6, nothingFoundMessage="No run has this name", classNames={"root": "grow"}, **{"aria-label": "Runs"},
    )  # fmt: skip
    return html.Div(
        [kind, run, button("Insert", id=Ids.INSERT, icon="plus"), button("Preview", id=Ids.SHOW, icon="eye")],
        className="row report-inserting",
    )


def _text(text: str) -> Component:
    field: Component = dmc.Textarea(
        id=Ids.TEXT,
        value=text,
        autosize=True,
        minRows=22,
        maxRows=40,
        classNames={"input": "mono report-source"},
        inputProps={"maxLength": LONGEST_TEXT, "spellCheck": "true"},
        **{"aria-label": "Text of the report"},
    )
    return field
