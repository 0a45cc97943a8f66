"""Reproductions in Django's admin: to read and to delete."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from webapp.reproductions.models import Reproduction


@admin.register(Reproduction)
class ReproductionAdmin(admin.ModelAdmin):
    """Nothing can be edited: a figure is computed or not there."""

    list_display = ("engine", "engine_version", "quick", "created", "duration_s")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: they are computed, by a run or by `manage.py reproduce`."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: reproduction rows are read-only."""
        return False
