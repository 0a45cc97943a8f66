"""Reports in Django's admin: to look at."""

from __future__ import annotations

from django.contrib import admin

from webapp.base.read_only_admin import ReadOnly
from webapp.reports.models import Report, ReportVersion


@admin.register(Report)
class ReportAdmin(ReadOnly, admin.ModelAdmin):
    """Reports with where they belong."""

    list_display = ("id", "title", "project", "owner", "created")
    list_select_related = ("project", "owner")
    search_fields = ("=id", "title", "owner__username")
    date_hierarchy = "created"


@admin.register(ReportVersion)
class ReportVersionAdmin(ReadOnly, admin.ModelAdmin):
    """Their texts."""

    list_display = ("id", "report", "number", "created_by", "created")
    list_select_related = ("report", "created_by")
    search_fields = ("=report__id", "report__title")
