"""`manage.py reindex`: write the index of the search anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from webapp.search.indexing import index_everything


class Command(BaseCommand):
    help = "Rebuild the search index: after an update that adds the search, or after restoring a backup."

    def handle(self, *args: Any, **options: Any) -> None:
        for kind, count in index_everything():
            self.stdout.write(f"{kind}: {count}")
