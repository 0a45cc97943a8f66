"""`manage.py export-run`: a run as one file for another installation."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from webapp.runs.bundles.bundle_export import filename, write_bundle
from webapp.runs.errors import RunStateError
from webapp.runs.service import get_run
from webapp.teams.command_line import add_owner_arguments, command_user


class Command(BaseCommand):
    help = "Write an ended run to one file: problem, documents, designs, results, files, steps, log, with hashes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=int, help="number of the run")
        parser.add_argument("file", type=Path, nargs="?", help="target file (default: run-NUMBER.paretoscope.zip here)")
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = get_run(command_user(options["user"]), options["run"])
            target = options["file"] or Path(filename(run))
            with write_bundle(run) as bundle, target.open("wb") as stream:
                shutil.copyfileobj(bundle, stream)
        except (ProblemError, RunStateError, Http404, OSError) as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"Written: {target} ({counted(target.stat().st_size)} bytes)")
