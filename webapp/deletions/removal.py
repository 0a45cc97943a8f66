"""Removing for good what was deleted long ago, and saying what that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from engines.contract.integer_format import many
from webapp.deletions.service import long_deleted, title_of
from webapp.items.registry import items
from webapp.runs.bundles.run_import import delete_some
from webapp.runs.models import Run, RunFile
from webapp.runs.storage.files import sweep_contents

_PIECE_S = 5.0


@dataclass(frozen=True)
class Removal:
    """The permanent removal of an item with its dependent data."""

    kind: str
    number: int
    title: str
    project: str
    designs: int = 0
    file_bytes: int = 0
    versions: int = 0

    @property
    def words(self) -> str:
        """In one line."""
        parts = [f"{self.kind} {self.number} “{self.title}” of {self.project}"]
        parts += [many(self.designs, "design")] if self.designs else []
        parts += [f"{self.file_bytes / 1e6:.1f} MB of files"] if self.file_bytes else []
        parts += [many(self.versions, "version")] if self.versions else []
        return ", ".join(parts)


def purge(days: float, *, dry_run: bool) -> Iterator[Removal]:
    """Remove items deleted at least `days` days ago, one by one; yield each before its removal.

    Args:
        days: least number of days since the deletion.
        dry_run: only tell.
    """
    for kind in items("deletable"):
        # Numbers first: rows go away while the list is walked through.
        for found in list(long_deleted(kind, days)):
            yield _told(kind, found)
            if not dry_run:
                _remove(found)
    if not dry_run:
        sweep_contents()


def _told(kind: str, found: Any) -> Removal:
    facts = (kind, found.pk, title_of(kind, found), found.project.title)
    if kind == "run":
        held = RunFile.objects.filter(run=found.pk).aggregate(total=Sum("blob__size"))["total"] or 0
        return Removal(*facts, designs=found.design_count, file_bytes=held)
    return Removal(*facts, versions=found.versions.count() if kind == "document" else 0)


def _remove(found: Any) -> None:
    if isinstance(found, Run):
        # Bit by bit: a run of a hundred thousand designs in one transaction would keep everybody else waiting.
        while not delete_some(found.pk, _PIECE_S):
            pass
    else:
        found.delete()
