"""The parts of the pages of reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dash import dcc, html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button, link_button
from frontend.components.card import card_title
from frontend.components.icon import icon
from frontend.components.items.conflict import conflict_box, text_difference
from frontend.components.items.deleted_item import gone_words
from frontend.components.moment import moment
from frontend.components.name import cut_name
from frontend.components.states import empty_state, notice
from frontend.designs.run_words import person_name
from frontend.figures.numbers import integer
from frontend.ids.report import ReportIds
from frontend.pages.report.blocks import block_parts
from frontend.pages.report.canvas import Canvas
from webapp.annotations.texts import as_html
from webapp.deletions.service import deleted_among
from webapp.reports.blocks import Part, Text, runs_in
from webapp.reports.models import Report, ReportVersion
from webapp.reports.report_dependencies import Since
from webapp.reports.service import runs_of
from webapp.teams.visibility import Principal

# The title of the page is the first level.
_HEADINGS: Mapping[str, str] = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6", "h6": "h6"}


def text_html(text: str) -> str:
    """Return the Markdown of a report as safe HTML."""
    return f'<div class="report-text">{as_html(text, _HEADINGS)}</div>'


def body_of(principal: Principal, parts: Sequence[Part], canvas: Canvas) -> list[Component]:
    """Return the texts and blocks in order, as `principal` sees them."""
    asked = runs_in(parts)
    runs = runs_of(principal, asked)
    gone = {each.number: gone_words(principal, each) for each in deleted_among(principal, "run", asked)}
    # The text has passed `as_html`; `static_parts.js` puts it in its place.
    return [
        html.Div(**{"data-html": text_html(part.text)})
        if isinstance(part, Text)
        else block_parts(part, runs, canvas, gone)
        for part in parts
    ]


def version_words(version: ReportVersion) -> str:
    """Return the number, author and time of the version."""
    return f"Version {version.number} by {person_name(version.created_by)}, {version.created:%Y-%m-%d %H:%M} UTC"


def conflict(base: ReportVersion, theirs: ReportVersion, title: str, text: str) -> Component:
    """Show that another person was first: their changes since `base`, the differences of mine, and the choices."""
    who, number = person_name(theirs.created_by), theirs.number
    before, after = (f"# {each.title}\n{each.text}" for each in (base, theirs))
    return conflict_box(
        f"{who} saved version {number} while you were writing.",
        "",
        text_difference(before, after, ("Before", "Theirs")),
        text_difference(after, f"# {title}\n{text}", ("Theirs", "Yours")),
        [
            _choice("mine", number, f"Save mine as version {number + 1}", "Their version stays as an earlier version"),
            _choice("theirs", number, "Take theirs", "The fields show their version; your changes are dropped"),
            _choice("on", number, "Continue writing", "Save asks again"),
        ],
    )


def _choice(name: str, number: int, words: str, title: str) -> Component:
    return button(words, id={"type": ReportIds.CHOICE_TYPE, "name": name, "number": number}, title=title)


def since_notice(found: Sequence[Since], gone: Mapping[int, Component] | None = None) -> Component | None:
    """Return the notice on changes of runs since the report was written; None without changes.

    `gone` has the lines of deleted runs by number.
    """
    if not found:
        return None
    lines = [
        html.Li((gone or {}).get(each.run) or [html.Span(f"Run {each.run:04d}: ", className="b"), f"{each.words}."])
        for each in found
    ]
    count = "One thing" if len(lines) == 1 else f"{integer(len(lines))} things"
    words = html.Div(f"{count} that this report uses changed since it was written", className="b")
    return notice(html.Div([words, html.Ul(lines)]), tone="warn", icon="alert-triangle")


def list_card(reports: Sequence[Report], versions: Mapping[int, int]) -> Component:
    """Return the reports that one sees; `versions` is how many each has."""
    if not reports:
        words = (
            "A report is a page of text with fronts, schedules, tables and caveats from runs. It has "
            "versions, can be saved as one HTML file, and says when its runs or inputs change."
        )
        actions = [link_button("New report", "/reports/edit", icon="plus", kind="primary", size="small")]
        return html.Section(
            empty_state("file-text", "No reports here yet", words, actions), className="card home-empty"
        )
    heads = [
        html.Th("Report"),
        html.Th("Versions", className="r"),
        html.Th("Project"),
        html.Th("Owner"),
        html.Th("Begun"),
    ]
    now = timezone.now()
    rows = [
        html.Tr(
            [
                html.Td(dcc.Link(cut_name(each.title), href=f"/reports/{each.pk}", className="m5")),
                html.Td(integer(versions.get(each.pk, 0)), className="r num"),
                html.Td(each.project.title),
                html.Td(person_name(each.owner)),
                html.Td(moment(each.created, now), className="t2"),
            ]
        )
        for each in reports
    ]
    table = html.Table([html.Thead(html.Tr(heads)), html.Tbody(rows)], className="t")
    head = html.Div([card_title("Reports"), html.Span(integer(len(reports)), className="sm t3 num")], className="ch")
    return html.Section(
        [head, html.Div(table, className="table-scroll")], className="card", **{"aria-label": "Reports"}
    )


def crumb(*words: str) -> Component:
    """Return the way back to all reports."""
    parts: list[Component] = [dcc.Link("Reports", href="/reports")]
    for each in words:
        parts += [icon("chevron-right", "s"), html.Span(each)]
    return html.Nav(parts, className="crumb", **{"aria-label": "Where you are"})
