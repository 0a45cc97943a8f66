"""Texts of the change log about webhooks."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(Item(name="webhook", model="webhooks.Webhook", logged=("project", "url", "events", "active")))
