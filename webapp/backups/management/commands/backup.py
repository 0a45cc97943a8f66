"""`manage.py backup`: the whole site in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.integer_format import many
from webapp.backups import service
from webapp.backups.errors import TOLD
from webapp.backups.manifest import KINDS


class Command(BaseCommand):
    help = (
        "Write the site at this moment to one file. It holds people, projects, documents, runs with their "
        "designs and files, and the change log. Runs continue meanwhile. Settings and secrets (SECRET_KEY, "
        "passwords in DATABASE_URL, BROKER_URL and EMAIL_URL) are not included; keep them elsewhere. The "
        "file holds private data: keep it as safe as the database."
    )

    needs_tables = False  # a backup of no data would hide a wrong PARETOSCOPE_VAR

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it (.tar.gz); must not exist")
        parser.add_argument("--dry-run", action="store_true", help="only list what would be written")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        try:
            if options["dry_run"]:
                service.check_target(file)
                site = service.database()
                site.require_programs()
                service.require_content(state := service.present_state())
                rows = sum(state.counts.values())
                self.stdout.write(f"Would write {many(rows, 'row')} of {KINDS[site.kind]} to {file}.")
                return
            made = service.back_up(file)
        except TOLD as error:
            raise CommandError(f"No backup was made. {error}", returncode=2) from error
        self.stdout.write(
            f"Wrote {file}: {many(sum(made.counts.values()), 'row')} of {KINDS[made.database]}, "
            f"{file.stat().st_size / 1e6:.1f} MB. Not included: settings and secrets (SECRET_KEY, "
            "DATABASE_URL, BROKER_URL, EMAIL_URL)."
        )
