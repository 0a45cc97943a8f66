"""Pages of Django's admin that only show."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


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
