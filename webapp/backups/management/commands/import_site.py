"""`manage.py import_site`: a site as `export_site` wrote it, on either kind of database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.integer_format import many
from webapp.backups import service
from webapp.backups.errors import TOLD
from webapp.backups.portable import import_site


class Command(BaseCommand):
    help = (
        "Replace everything on this site by a file from `paretoscope export_site`, for either kind of "
        "database. It is one transaction: a failure leaves the site unchanged. Run `paretoscope migrate` "
        "before, and stop workers and web servers. Unfinished runs continue from their last checkpoint. "
        "Import only files that you trust."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `paretoscope export_site` wrote")
        parser.add_argument("--replace", action="store_true", help="replace the data of a site that is not empty")
        parser.add_argument(
            "--dry-run", action="store_true", help="only check the file and list what would be imported"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file, dry_run = options["file"].absolute(), options["dry_run"]
        try:
            present = service.work_in(service.present_state())
            made = import_site(file, replace=options["replace"], dry_run=dry_run)
        except TOLD as error:
            raise CommandError(f"Nothing was imported; the site is unchanged. {error}", returncode=2) from error
        replaced = f" in the place of {sum(present.values())}" if present else ""
        self.stdout.write(
            f"{'Would import' if dry_run else 'Imported'} {many(sum(made.counts.values()), 'row')} of version {made.version}, "
            f"made {made.made_at:%Y-%m-%d %H:%M} UTC{replaced}."
        )
