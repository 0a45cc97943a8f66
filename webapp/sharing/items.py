"""Texts of the change log about read-only links."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(Item(name="link", model="sharing.ShareLink", logged=("project", "kind", "number", "note", "expires")))
