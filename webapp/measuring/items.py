"""Texts of the change log about devices."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(Item(name="device", model="measuring.AgentDevice", logged=("project", "name", "revoked")))
declare(Item(name="value import", model="measuring.ValueImport", logged=("project", "file", "source", "licence")))
