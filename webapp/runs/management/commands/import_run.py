"""`manage.py import-run`: a run that another installation exported."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.exchange.bundle import MAX_BUNDLE_BYTES
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.results import summaries
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.visibility import NotAllowed, personal_project


class Command(BaseCommand):
    help = (
        "Check a bundle and compare it with the installed engine, then store its run. Exit status 2 at any difference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="file from export-run, the browser or the interface")
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path, user = options["file"], command_user(options["user"])
        try:
            if path.stat().st_size > MAX_BUNDLE_BYTES:
                raise ProblemError(
                    "bundle", f"{path.stat().st_size} bytes", f"at most {counted(MAX_BUNDLE_BYTES)} bytes"
                )
            project = command_project(user, options["project"]) or personal_project(user)
            run = import_bundle(user, project, path.read_bytes(), path.name)
        except (ProblemError, NotAllowed, Http404, OSError) as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"Run {run.pk}: {run.title}, {many(run.design_count, 'design')}. {summaries.run_url(run)}")
