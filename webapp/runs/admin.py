"""Runs in Django's admin: to look at, and to stop. Nothing about a run can be edited."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from webapp.runs import service
from webapp.runs.models import Run, RunInput, WorkerBeat


class ReadOnly:
    """Permissions of an admin that only shows."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes."""
        return False


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
        """Share of the work done."""
        return format_html("{} %", round(run.fraction * 100))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Without the large columns, which the list does not show."""
        return super().get_queryset(request).defer("problem", "plan", "platform", "attempt_reasons")

    @admin.action(description="Stop the selected runs")
    def stop(self, request: HttpRequest, runs: QuerySet[Run]) -> None:
        """Wish that the runs stop; those that have ended stay as they are."""
        if not request.user.has_perm("runs.change_run"):
            self.message_user(request, "Stopping runs takes the permission to change runs.", messages.ERROR)
            return
        stopping = sum(
            run.active for run in (service.wish_stop(run) if run.active else run for run in runs) if run.wish == "stop"
        )
        self.message_user(request, f"{len(runs)} runs: {stopping} are stopping, the others have stopped or ended.")


@admin.register(WorkerBeat)
class WorkerBeatAdmin(ReadOnly, admin.ModelAdmin):
    """Workers and when they were last seen."""

    list_display = ("name", "seen", "started", "slots", "busy", "short_only", "draining", "offers")
