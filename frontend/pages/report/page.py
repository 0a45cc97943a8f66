"""Reports: the list of them, and each to read. What is shown stands in the address: `/reports/7?version=2`."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import dash
from dash import dcc, html
from dash.development.base_component import Component
from django.db.models import Count

from frontend.addresses import visible_at
from frontend.components.button import link_button
from frontend.components.icon import icon
from frontend.components.items.changes_link import changes_link
from frontend.components.items.delete_link import delete_link
from frontend.components.items.deleted_item import gone_lines, gone_page
from frontend.components.items.move_link import move_link
from frontend.components.items.share import share_control
from frontend.components.states import notice
from frontend.figures.numbers import many
from frontend.pages.report.canvas import page_canvas
from frontend.pages.report.export import PATH
from frontend.pages.report.view import body_of, crumb, list_card, since_notice, version_words
from frontend.request import current_user, name_page, page_title
from webapp.deletions.service import deleted_among
from webapp.reports.blocks import parts_of
from webapp.reports.models import Report, ReportVersion
from webapp.reports.report_dependencies import changed_since
from webapp.reports.service import get_report, version_of, versions_of, visible_reports
from webapp.teams.permissions import somebody
from webapp.teams.visibility import NotVisible, may_edit

MOST_ROWS = 200


def list_layout(**_query: str) -> Component:
    """Return the reports that the signed-in user sees."""
    user = current_user()
    if not user.is_authenticated:
        return html.Div()
    reports = list(visible_reports(user)[:MOST_ROWS])
    rows = ReportVersion.objects.filter(report__in=reports).order_by().values_list("report").annotate(Count("pk"))
    head = [html.H1("Reports"), link_button("New report", "/reports/edit", icon="plus", kind="primary")]
    return html.Div(
        [html.Div(head, className="row between home-head"), list_card(reports, dict(rows))], className="page home"
    )


def layout(number: str = "", **query: str) -> Component:
    """Return one report, to read."""
    user = current_user()
    if not somebody(user):
        return html.Div()
    try:
        report = get_report(user, number)
        version = version_of(user, report, query.get("version"))
    except NotVisible:
        actions = [link_button("All reports", "/reports", kind="primary", size="small")]
        return gone_page(user, "report", number, "This report does not exist here", actions)
    name_page(f"{report.title} (report {report.pk})")
    versions = list(versions_of(report).defer("text", "pins"))
    older = version.number != versions[0].number
    gone = deleted_among(user, "run", list(version.pins))
    lines = gone_lines(user, gone)
    words = f"This is version {version.number} of {versions[0].number}."
    newest = dcc.Link("Read the newest", href=f"/reports/{report.pk}")
    return html.Div(
        [
            _head(report, version, may_edit(user, report)),
            html.Article(
                [
                    notice(words, " ", newest) if older else None,
                    since_notice(
                        changed_since(user, version), dict(zip([each.number for each in gone], lines, strict=True))
                    ),
                    *body_of(user, parts_of(version.text), page_canvas()),
                    _versions(report, version, versions),
                ],
                className="page report-page",
            ),
        ]
    )


dash.register_page(__name__, path="/reports", name="Reports", title="Reports · Paretoscope", layout=list_layout)
dash.register_page(
    f"{__name__}.one",
    path_template="/reports/<number>",
    exists=visible_at(get_report),
    name="Report",
    title=page_title("Report"),
    layout=layout,
)


def _head(report: Report, version: ReportVersion, editable: bool) -> Component:
    file = f"{PATH}?{urlencode({'report': report.pk, 'version': version.number})}"
    save = html.A(
        [icon("download", "s"), "HTML"], href=file, className="btn", title="One file, without a server", download=""
    )
    edit = link_button("Edit", f"/reports/edit?report={report.pk}", icon="edit", kind="primary") if editable else None
    line = [crumb(report.project.title), html.Span(className="sp"), changes_link("report", report.pk)]
    own = [move_link("report", report.pk), *delete_link("report", report.pk, editable)]
    title = [html.H1(version.title), html.Span(version_words(version), className="sm t3")]
    return html.Div(
        [
            html.Div([*line, *own], className="row g12"),
            html.Div(
                [
                    html.Div(title, className="row g12 wrap grow"),
                    html.Div([share_control("report", report.pk), save, edit], className="row"),
                ],
                className="row between",
            ),
        ],
        className="head edge",
    )


def _versions(report: Report, shown: ReportVersion, versions: Sequence[ReportVersion]) -> Component | None:
    if len(versions) < 2:
        return None
    lines = [
        html.Li(
            dcc.Link(version_words(each), href=f"/reports/{report.pk}?version={each.number}")
            if each.number != shown.number
            else html.B(version_words(each))
        )
        for each in versions
    ]
    return html.Details(
        [html.Summary(f"{many(len(versions), 'version')}", className="sm"), html.Ul(lines)], className="report-versions"
    )
