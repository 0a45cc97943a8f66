"""`manage.py migrate`: Django's, after a backup of a SQLite file that holds somebody's work."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate

from webapp.backups import service
from webapp.backups.errors import TOLD
from webapp.site.database_schema import holds_older_work


class Command(migrate.Command):
    needs_tables = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        words = "migrate a SQLite file without writing a backup to the data folder first"
        parser.add_argument("--no-backup", action="store_true", help=words)

    def handle(self, *args: Any, **options: Any) -> str | None:
        spared = options["no_backup"] or options["plan"] or options["check_unapplied"]
        if not spared and holds_older_work():
            self._back_up()
        return super().handle(*args, **options)

    def _back_up(self) -> None:
        folder = settings.PARETOSCOPE_VAR / "backups"
        file = folder / f"before-upgrade-{datetime.now(UTC):%Y-%m-%dT%H-%M-%S-%f}.tar.gz"
        try:
            folder.mkdir(exist_ok=True)
            service.back_up(file)
        except (*TOLD, OSError) as error:
            words = f"No backup was made, and nothing was migrated. {error} `migrate --no-backup` migrates without one."
            raise CommandError(words, returncode=2) from error
        self.stdout.write(
            f"Backup before the upgrade: {file}. To go back, install the former version and restore it into a new folder: "
            f"PARETOSCOPE_VAR=FOLDER paretoscope restore {file}"
        )
