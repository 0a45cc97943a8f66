"""Texts of the change log about projects and accounts."""

from __future__ import annotations

from webapp.items.registry import Item, declare

declare(
    Item(name="project", model="teams.Project", logged=("slug", "title")),
    Item(name="member", model="teams.Membership", logged=("project", "user", "role")),
    Item(name="invitation", model="teams.Invitation", logged=("project", "person", "role", "expires")),
    Item(
        name="account",
        model="auth.User",
        logged=("username", "email", "password", "is_active", "is_staff", "is_superuser"),
        secret=("password",),
    ),
)
