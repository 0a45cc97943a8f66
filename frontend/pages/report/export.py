"""A report as one HTML file: its text, figures that still zoom, tables, and what has changed since."""

from __future__ import annotations

import flask
from dash import html
from django.conf import settings
from django.utils import timezone

from frontend.components.html_file import FileFigures, html_file
from frontend.components.static_html import static_html
from frontend.pages.report.blocks import block_parts
from frontend.pages.report.canvas import FileCanvas
from frontend.pages.report.view import since_notice, text_html, version_words
from frontend.request import current_user
from webapp.reports.blocks import Text, parts_of, runs_in
from webapp.reports.models import Report, ReportVersion
from webapp.reports.report_dependencies import changed_since
from webapp.reports.service import get_report, runs_of, version_of
from webapp.teams.visibility import NotVisible, Principal

PATH = "/reports/page.html"
_STYLE = """
body { max-width: 1100px; font-size: 14px; } .report-text { max-width: 74ch; margin: 12px 0; }
.report-text th, .report-text td { padding: 2px 8px; border-bottom: 1px solid var(--p-border); text-align: left; }
figure { margin: 16px 0; } .report-run .sp { flex: 1; }
"""


def report_file(principal: Principal, report: Report, version: ReportVersion) -> str:
    """Return the whole file as text, as `principal` sees the report."""
    parts = parts_of(version.text)
    runs = runs_of(principal, runs_in(parts))
    figures = FileFigures()
    canvas = FileCanvas(figures, settings.PARETOSCOPE_PUBLIC_URL)
    bodies = [
        text_html(part.text) if isinstance(part, Text) else static_html(block_parts(part, runs, canvas))
        for part in parts
    ]
    address = f"{settings.PARETOSCOPE_PUBLIC_URL}/reports/{report.pk}"
    made = [
        f"{version_words(version)}. Made with Paretoscope on {timezone.now():%Y-%m-%d %H:%M} UTC from ",
        html.A(address, href=address),
        ".",
    ]
    head = static_html([html.H1(version.title), since_notice(changed_since(principal, version))])
    return html_file(
        version.title, "".join([head, *bodies, static_html(html.P(made, className="sm t3"))]), figures, _STYLE
    )


def answer_file() -> flask.Response:
    """Return the report that the address names, as a file to save."""
    user, query = current_user(), flask.request.args
    try:
        report = get_report(user, query.get("report"))
        version = version_of(user, report, query.get("version"))
    except NotVisible as error:
        return flask.Response(str(error), 404, mimetype="text/plain")
    name = f"report-{report.pk}-version-{version.number}.html"
    return flask.Response(
        report_file(user, report, version),
        mimetype="text/html",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def add_report_route(server: flask.Flask) -> None:
    """Serve reports as files under `PATH`."""
    server.add_url_rule(PATH, "report_file", answer_file, methods=["GET"])
