"""Limits of single projects and people in Django's admin."""

from __future__ import annotations

from django.contrib import admin

from webapp.limits.models import PersonLimits, ProjectLimits

_LIMITS = ("run_minutes", "run_memory_mb", "active_runs", "stored_mb", "study_cells")


@admin.register(ProjectLimits)
class ProjectLimitsAdmin(admin.ModelAdmin):
    """Projects whose limits differ from the site's."""

    list_display = ("project", *_LIMITS)
    list_select_related = ("project",)
    autocomplete_fields = ("project",)
    search_fields = ("project__title", "project__slug")


@admin.register(PersonLimits)
class PersonLimitsAdmin(admin.ModelAdmin):
    """People whose limits differ from the site's."""

    list_display = ("person", *_LIMITS)
    list_select_related = ("person",)
    autocomplete_fields = ("person",)
    search_fields = ("person__username",)
