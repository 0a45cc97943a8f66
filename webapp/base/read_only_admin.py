"""Pages of Django's admin that only show."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Permissions of an admin that only shows."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows are not added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows are not changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows are not deleted here."""
        return False
