"""The search index: one row per item that can be found."""

from __future__ import annotations

from django.db import models

from webapp.teams.models import Project


class SearchEntry(models.Model):
    """The search text of one item. Permissions are checked on the item itself at query time.

    The database's own full text stands next to the table (migration 0002): an FTS5 table that triggers keep up on SQLite, a column
    of type tsvector on PostgreSQL.

    Attributes:
        kind, number: the searchable item.
        project: where it belonged when it was indexed.
        words: in lower case, without accents, separated by spaces; the first two say the kind and the project.
    """

    kind = models.CharField(max_length=12)
    number = models.BigIntegerField()
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    words = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "number"], name="one_search_entry_per_thing")]

    def __str__(self) -> str:
        return f"words of {self.kind} {self.number}"
