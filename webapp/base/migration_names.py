"""Names of applied migrations next to those of this version."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.migrations.loader import MigrationLoader


def compare_migrations(applied: Iterable[str]) -> tuple[list[str], list[str]]:
    """Compare applied migrations with those of this version.

    Args:
        applied: as "application.name".

    Returns:
        The migrations that `applied` lacks, and those of `applied` that this version does not know; both sorted.
    """
    present, known = {*applied}, MigrationLoader(None).disk_migrations
    names = {f"{app}.{name}" for app, name in known}
    replaced = {f"{app}.{name}" for migration in known.values() for app, name in migration.replaces}
    return sorted(names - present), sorted(present - names - replaced)
