"""`manage.py import-hardware`: a file of hardware becomes a version of a document of a project."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.errors import ProblemError
from webapp.catalogue.command_line import add_next_version_argument, report_lines, sizes
from webapp.catalogue.imports import import_upload, upload_of
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.visibility import NotAllowed, personal_project


class Command(BaseCommand):
    help = (
        "Store hardware as a document: YAML of the product's own schemas, or an accelerator of ZigZag as a "
        "one-chiplet package. Parts without a counterpart are listed. Exit status: 0 stored, 2 refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="ends in .yaml, .yml or .json")
        parser.add_argument("--name", default="", help="title of an accelerator of ZigZag (default: its own)")
        parser.add_argument(
            "--dim",
            metavar="NAME=NUMBER",
            action="append",
            default=[],
            help="clock_mhz or process_node_nm, which ZigZag's files lack",
        )
        add_next_version_argument(parser)
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = command_user(options["user"])
        project = command_project(user, options["project"]) or personal_project(user)
        try:
            upload = upload_of(
                options["file"], title=options["name"], dims=sizes(options["dim"]), next_version=options["next_version"]
            )
            imported = import_upload(user, project, upload, "hardware")
        except (ProblemError, NotAllowed) as error:
            raise CommandError(str(error), returncode=2) from error
        for line in report_lines(imported.report) if imported.report else ():
            self.stdout.write(line)
        state = "stored" if imported.created else "already there"
        self.stdout.write(f"{imported.title}: {imported.summary}. It is {imported.reference} ({state}).")
