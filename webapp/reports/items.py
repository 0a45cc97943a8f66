"""Actions on reports."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(
    Item(
        name="report",
        model="reports.Report",
        page="/reports/{}",
        columns=("title", "owner"),
        plural="Reports",
        icon="file-text",
        remains="Its runs stay, and so do its versions.",
        companions="Its versions go along. Its runs stay in their projects.",
        movable=True,
        shareable=True,
        deletable=True,
        searchable=True,
        logged=("project", "owner", "title", "deleted"),
    ),
    Item(name="report-version", model="reports.ReportVersion", logged=("report", "number", "title", "text")),
)
