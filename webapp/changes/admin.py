"""The change log of the whole site in Django's admin: to look at, to filter, and to take away as a file."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.html import format_html_join

from webapp.changes.exports import csv_lines
from webapp.changes.models import Change
from webapp.changes.service import lines

admin.site.unregister(Change)  # django-auditlog has put its own there


@admin.register(Change)
class ChangeAdmin(admin.ModelAdmin):
    """Entries are never added, changed or deleted by hand."""

    list_display = ("timestamp", "who", "verb", "content_type", "object_repr", "project", "means", "token")
    list_filter = ("verb", "means", "content_type")
    list_select_related = ("project", "content_type")
    search_fields = ("who", "object_repr", "project__slug", "=cid", "=object_id")
    date_hierarchy = "timestamp"
    actions = ("as_csv",)
    fields = (*list_display, "cid", "differences")
    readonly_fields = fields
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: rows are not added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Change | None = None) -> bool:
        """Return False: rows are not changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Change | None = None) -> bool:
        """Return False: rows are not deleted here."""
        return False

    @admin.display(description="Differences")
    def differences(self, change: Change) -> str:
        """Return a line per field: before and after."""
        (line,) = lines([change])
        return format_html_join("", "<div><b>{}</b>: {} → {}</div>", line.differences) or "no details"

    @admin.action(description="Download the selected changes as CSV", permissions=["view"])
    def as_csv(self, request: HttpRequest, changes: QuerySet[Change]) -> StreamingHttpResponse:
        """Return a file of what was selected."""
        headers = {"Content-Disposition": 'attachment; filename="changes.csv"'}
        found = lines(changes.select_related("project", "content_type"))
        return StreamingHttpResponse(csv_lines(found), content_type="text/csv; charset=utf-8", headers=headers)
