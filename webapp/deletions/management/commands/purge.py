"""`manage.py purge`: remove for good what was deleted long ago."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.deletions.removal import purge
from webapp.deletions.service import KEPT


class Command(BaseCommand):
    help = (
        "Remove for good the runs, studies, comparisons and documents that were deleted at least N days "
        "ago. List everything that each removal includes. They cannot be restored. Run it daily."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days",
            type=float,
            default=KEPT.days,
            help=f"only items deleted at least this many days ago (default: {KEPT.days})",
        )
        parser.add_argument("--dry-run", action="store_true", help="only list what would be removed")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["days"] <= 100_000:
            raise CommandError(
                f"--days must be a number of days from 0 on. Got {options['days']} instead.", returncode=2
            )
        count = 0
        for removed in purge(options["days"], dry_run=options["dry_run"]):
            self.stdout.write(removed.words)
            count += 1
        self.stdout.write(f"{'Would be removed' if options['dry_run'] else 'Removed'} for good: {count}.")
