"""`manage.py gallery`: open the runs that come with the software, or make them again for a release."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.errors import EngineError, ProblemError
from engines.contract.integer_format import counted, many
from webapp.gallery.service import gallery_entries, open_missing, write_entry
from webapp.runs.results import summaries
from webapp.teams.command_line import add_owner_arguments, command_user


class Command(BaseCommand):
    help = "Open the runs of the gallery, one per method. Safe to repeat."

    requires_system_checks = ()  # as for the command demo

    def add_arguments(self, parser: ArgumentParser) -> None:
        words = "execute the runs of these methods (default: of all) and write their files, for a release"
        parser.add_argument("--write", nargs="*", metavar="METHOD", help=words)
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["write"] is None:
                self._open()
            else:
                self._write(options["write"], command_user(options["user"]))
        except EngineError as error:
            raise CommandError(str(error), returncode=2) from error

    def _open(self) -> None:
        opened = [self.stdout.write(f"{run.title} {summaries.run_url(run)}") for run in open_missing()]
        self.stdout.write(f"Opened {many(len(opened), 'run')} of the gallery.")

    def _write(self, methods: list[str], user: Any) -> None:
        known = sorted(each.method for each in gallery_entries())
        for method in methods:
            if method not in known:
                raise ProblemError("--write", method, f"one of {', '.join(known)}")
        for each in gallery_entries():
            if not methods or each.method in methods:
                size = write_entry(user, each)
                self.stdout.write(f"{each.file.name}: {counted(size)} bytes")
