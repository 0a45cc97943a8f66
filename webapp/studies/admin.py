"""Studies in Django's admin: to look at."""

from __future__ import annotations

from django.contrib import admin

from webapp.base.read_only_admin import ReadOnly
from webapp.studies.models import Study


@admin.register(Study)
class StudyAdmin(ReadOnly, admin.ModelAdmin):
    """Studies with their documents."""

    list_display = ("id", "title", "engine", "project", "owner", "created")
    list_filter = ("engine",)
    list_select_related = ("project", "owner")
    search_fields = ("=id", "title", "owner__username")
    date_hierarchy = "created"
