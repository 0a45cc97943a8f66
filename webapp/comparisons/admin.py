"""Comparisons in Django's admin: to look at."""

from __future__ import annotations

from django.contrib import admin

from webapp.base.read_only_admin import ReadOnly
from webapp.comparisons.models import Comparison


@admin.register(Comparison)
class ComparisonAdmin(ReadOnly, admin.ModelAdmin):
    """Comparisons with their runs."""

    list_display = ("id", "title", "project", "owner", "created")
    list_select_related = ("project", "owner")
    search_fields = ("=id", "title", "owner__username")
    date_hierarchy = "created"
