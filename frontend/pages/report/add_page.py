"""The page on which something of a run is added to a report: `/reports/add?runs=12&design=3`."""

from __future__ import annotations

from collections.abc import Sequence

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.titles import LONGEST_TITLE
from frontend.components.button import button, link_button
from frontend.components.items.deleted_item import gone_lines, gone_page
from frontend.designs.run_words import engine_of
from frontend.ids.report import ReportIds as Ids
from frontend.pages.compare.query import asked_entries
from frontend.pages.report.blocks import block_parts
from frontend.pages.report.canvas import page_canvas
from frontend.pages.report.view import crumb
from frontend.request import current_user
from frontend.theme import RUNS
from webapp.comparisons.differences import differing
from webapp.comparisons.service import FEWEST, Entry, entries_of
from webapp.deletions.service import deleted_among
from webapp.reports.blocks import Block
from webapp.reports.service import visible_reports
from webapp.teams.visibility import editable_projects

NEW = "new"
MOST_CHOICES = 200
_MOST_DIFFERENCES = 4


def blocks_of(entries: list[Entry]) -> list[Block]:
    """Return the blocks to add: front and selected design for one run, a comparison for several."""
    if len(entries) >= FEWEST:
        return [Block("comparison", tuple(entry.run.pk for entry in entries))]
    return [
        block
        for entry in entries
        for block in (
            Block("front", (entry.run.pk,), entry.design),
            *([] if entry.design is None else [Block("design", (entry.run.pk,), entry.design)]),
        )
    ]


def question_of(entries: Sequence[Entry]) -> str:
    """Return the question that a report on these runs begins with."""
    if len(entries) < FEWEST:
        engine = engine_of(entries[0].run.engine)
        asked = "Which design is best" if engine is None else engine.question.words
        return f"{asked}? The run is {entries[0].run.title}."
    named = "; ".join(f"{style.letter}: {entry.run.title}" for entry, style in zip(entries, RUNS, strict=False))
    rows = [row for row in differing([entry.run for entry in entries]) if row.telling][:_MOST_DIFFERENCES]
    differs = f" They differ in {' and '.join(row.name for row in rows)}." if rows else ""
    return f"Which of these runs is better, and why? {named}.{differs}"


def title_of(entries: Sequence[Entry]) -> str:
    """Return the default title of a report on these runs."""
    first = entries[0].run.title
    words = f"Report on {first}" if len(entries) < FEWEST else f"Comparison of {len(entries)} runs: {first}"
    return words[:LONGEST_TITLE]


def layout(**query: str) -> Component:
    """Return the page for the signed-in user."""
    user = current_user()
    if not user.is_authenticated:
        return html.Div()
    chosen = asked_entries(query)
    entries, gone = entries_of(user, chosen), deleted_among(user, "run", [each["run"] for each in chosen])
    if not entries:
        words = "The runs do not exist, or they belong to projects of which you are no member."
        actions = [link_button("All reports", "/reports", kind="primary", size="small")]
        return gone_page(user, "run", [each["run"] for each in chosen], "Nothing to add", actions, words)
    runs = {entry.run.pk: entry.run for entry in entries}
    canvas = page_canvas()
    reports = visible_reports(user).filter(project__in=editable_projects(user))[:MOST_CHOICES]
    choices = [{"value": NEW, "label": "A new report"}]
    choices += [{"value": str(each.pk), "label": f"{each.title} ({each.project.title})"} for each in reports]
    target = dmc.Select(
        id=Ids.TARGET, data=choices, value=choices[-1 if len(choices) == 1 else 1]["value"], searchable=True, w=420,
        allowDeselect=False, label="Report", size="xs",
    )  # fmt: skip
    asked = [{"run": entry.run.pk, "design": entry.design} for entry in entries]
    return html.Div(
        [
            dcc.Location(id=Ids.LOCATION, refresh="callback-nav"),
            dcc.Store(id=Ids.ADDED, data=asked),
            html.Div([crumb("add"), html.H1("Add to a report")], className="head edge"),
            html.Div(
                [
                    html.Div(
                        [target, button("Add", id=Ids.ADD, icon="plus", kind="primary")], className="row g12 report-add"
                    ),
                    html.Div(id=Ids.TOLD, role="alert"),
                    *gone_lines(user, gone),
                    *[block_parts(block, runs, canvas) for block in blocks_of(entries)],
                ],
                className="page report-page",
            ),
        ]
    )


dash.register_page(__name__, path="/reports/add", name="Add", title="Add to a report · Paretoscope", layout=layout)
