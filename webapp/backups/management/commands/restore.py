"""`manage.py restore`: a site as a backup has it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.integer_format import many
from webapp.backups import service
from webapp.backups.errors import TOLD


class Command(BaseCommand):
    help = (
        "Replace everything on this site by a backup. The file is checked completely first, and a backup "
        "of an older version is migrated. A failure leaves the site unchanged. Stop workers and web "
        "servers first. Restore only files that you trust: the checksums find damage, not forgery."
    )

    needs_tables = False  # the backup brings them along

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `paretoscope backup` wrote")
        parser.add_argument("--replace", action="store_true", help="replace the data of a site that is not empty")
        parser.add_argument(
            "--dry-run", action="store_true", help="only check the file and list what would be restored"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file, dry_run = options["file"].absolute(), options["dry_run"]
        try:
            present = service.work_in(service.present_state())
            made, missing = service.restore(file, replace=options["replace"], dry_run=dry_run)
        except TOLD as error:
            raise CommandError(f"Nothing was restored; the site is unchanged. {error}", returncode=2) from error
        held = f"{many(sum(made.counts.values()), 'row')} of version {made.version}, made {made.made_at:%Y-%m-%d %H:%M} UTC"
        replaced = f" in the place of {sum(present.values())}" if present else ""
        self.stdout.write(
            f"{'Would restore' if dry_run else 'Restored'} {held}{replaced}; {many(len(missing), 'migration')}."
        )
        if dry_run and present and not options["replace"]:
            self.stdout.write("The site is not empty: it takes --replace.")
