"""What the change log says of tokens."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(Item(name="token", model="api.ApiToken", logged=("user", "name", "hint", "scope", "project", "expires")))
