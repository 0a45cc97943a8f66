"""Texts of the change log about tokens."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(Item(name="token", model="api.ApiToken", logged=("user", "name", "hint", "scope", "project", "expires")))
