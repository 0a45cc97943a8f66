"""Deletable items: a deleted row stays in the database, hidden from all users together with its dependent data."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import models


class Deletable(models.Model):
    """The base class of items that users can delete. `deleted`: time of deletion; null for existing items."""

    deleted = models.DateTimeField(null=True, blank=True, default=None, editable=False)

    class Meta:
        abstract = True


@cache
def deletion_path(model: type[models.Model], path: str) -> str | None:
    """Return the query path from `model` to the time of deletion, along the path to its project.

    None where nothing on it can be deleted.

    Args:
        model: model of the rows.
        path: query path to the project ("run__project").
    """
    steps: list[str] = []
    found: Any = model
    for step in path.split("__"):
        if issubclass(found, Deletable):
            return "__".join([*steps, "deleted"])
        steps.append(step)
        found = None if step == "pk" else found._meta.get_field(step).related_model
    return None
