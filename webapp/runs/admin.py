"""Runs in Django's admin: to look at, and to stop. Nothing about a run can be edited. Documents are shown with their runs."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from engines.contract.integer_format import many
from webapp.base.read_only_admin import ReadOnly
from webapp.catalogue import admin as catalogue_admin
from webapp.catalogue.models import Document, DocumentVersion
from webapp.runs import service
from webapp.runs.models import Run, RunInput, WorkerBeat
from webapp.runs.outdated import outdated_runs


class RunInputInline(ReadOnly, admin.TabularInline):
    """The pinned documents of a run."""

    model = RunInput
    fields = ("slot", "kind", "slug", "version", "content_hash")
    extra = 0


@admin.register(Run)
class RunAdmin(ReadOnly, admin.ModelAdmin):
    """Runs with their state; the action stops them."""

    list_display = (
        "id",
        "title",
        "engine",
        "project",
        "owner",
        "status",
        "wish",
        "outcome",
        "progress",
        "attempt",
        "created",
    )
    list_filter = ("status", "outcome", "engine")
    list_select_related = ("project", "owner")
    search_fields = ("=id", "title", "problem_hash", "owner__username")
    date_hierarchy = "created"
    inlines = (RunInputInline,)
    actions = ("stop",)

    @admin.display(description="Progress")
    def progress(self, run: Run) -> str:
        """Return the share of the work done."""
        return format_html("{} %", round(run.fraction * 100))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Return the runs without the large columns, which the list does not show."""
        return super().get_queryset(request).defer("problem", "plan", "platform", "attempt_reasons")

    @admin.action(description="Stop the selected runs")
    def stop(self, request: HttpRequest, runs: QuerySet[Run]) -> None:
        """Stop the runs; ended ones stay unchanged."""
        if not request.user.has_perm("runs.change_run"):
            self.message_user(request, "Stopping runs takes the permission to change runs.", messages.ERROR)
            return
        stopping = sum(
            run.active for run in (service.wish_stop(run) if run.active else run for run in runs) if run.wish == "stop"
        )
        self.message_user(
            request, f"{many(len(runs), 'run')}: {stopping} are stopping, the others have stopped or ended."
        )


@admin.register(WorkerBeat)
class WorkerBeatAdmin(ReadOnly, admin.ModelAdmin):
    """Workers and when they were last seen."""

    list_display = ("name", "seen", "started", "slots", "busy", "short_only", "draining", "offers")


# The catalogue knows nothing of runs, so its page of documents gets them here.
admin.site.unregister(Document)


@admin.register(Document)
class DocumentAdmin(catalogue_admin.DocumentAdmin):
    """Documents, with the runs that an edit makes out of date."""

    def get_readonly_fields(self, request: HttpRequest, obj: Document | None = None) -> tuple[str, ...]:
        """Return the read-only fields of the catalogue's form, followed by the runs."""
        fields = super().get_readonly_fields(request, obj)
        return (*fields, "runs_out_of_date") if obj else fields

    @admin.display(description="Runs with an older version")
    def runs_out_of_date(self, document: Document) -> str:
        """Return the links to the runs that pinned an older version than the newest."""
        runs = outdated_runs(document)
        links = ((reverse("admin:runs_run_change", args=[run.pk]), run) for run in runs[:50])
        found = format_html_join(", ", '<a href="{}">{}</a>', links)
        if not found:
            return "none"
        if not document.project.official:  # nobody's page but of those who belong to the project
            return found
        page = f"/catalogue/{document.kind}/{document.project.slug}/{document.slug}?tab=versions"
        return format_html('{} · <a href="{}">Run again, before and after</a>', found, page)

    def stored_message(self, version: DocumentVersion) -> str:
        """Return the message after a version is stored, with how many runs have an older one."""
        outdated = outdated_runs(version.document).count()
        return f"{super().stored_message(version)} Runs with an older version: {outdated}."
