"""Tokens in Django's admin: who has which; deleting one ends it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.api.models import ApiToken


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Users make their tokens themselves; an administrator can only end them."""

    list_display = ("user", "name", "hint", "scope", "project", "created", "expires", "last_used")
    list_select_related = ("user", "project")
    fields = list_display
    search_fields = ("user__username", "name", "hint")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: administrators make no tokens for others."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a token has nothing to change."""
        return False
