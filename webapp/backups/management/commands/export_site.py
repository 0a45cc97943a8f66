"""`manage.py export_site`: the whole site in one file that fits SQLite and PostgreSQL."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.integer_format import many
from webapp.backups.errors import TOLD
from webapp.backups.portable import export_site


class Command(BaseCommand):
    help = (
        "Write the whole site to one file for the other kind of database: from SQLite to PostgreSQL, and "
        "back. Stop workers and web servers first. Settings and secrets are not included. The file holds "
        "private data."
    )

    needs_tables = False  # an export of no data would hide a wrong PARETOSCOPE_VAR

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it (.tar.gz); must not exist")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        try:
            made = export_site(file)
        except TOLD as error:
            raise CommandError(f"Nothing was exported. {error}", returncode=2) from error
        self.stdout.write(
            f"Wrote {file}: {many(sum(made.counts.values()), 'row')}, {file.stat().st_size / 1e6:.1f} MB. "
            "Not included: settings and secrets. With another SECRET_KEY everybody has to sign in again."
        )
