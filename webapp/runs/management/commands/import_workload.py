"""`manage.py import-workload`: a network file becomes a workload of the catalogue."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.errors import ProblemError
from engines.documents.document_consumers import takers_of
from engines.running.runner.readers import ENDINGS
from webapp.catalogue.command_line import add_network_arguments, add_next_version_argument, report_lines, sizes
from webapp.catalogue.imports import upload_of
from webapp.runs.storage.document_files import import_file
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.visibility import NotAllowed, personal_project


class Command(BaseCommand):
    help = (
        "Store a network or a document (YAML) as a workload. Networks are ONNX files, config.json and GGUF files of language "
        "models, model files of MAESTRO and workloads of ZigZag. Print how each operator was read. "
        "Exit status: 0 stored, 2 refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help=f"ends in {', '.join(ENDINGS)}")
        parser.add_argument("--name", default="", help="title of the network (default: the file's name)")
        add_network_arguments(parser)
        add_next_version_argument(parser)
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = command_user(options["user"])
        project = command_project(user, options["project"]) or personal_project(user)
        try:
            dims, exclude = sizes(options["dim"]), tuple(options["exclude"])
            said = {"title": options["name"], "next_version": options["next_version"]}
            upload = upload_of(options["file"], dims=dims, exclude=exclude, **said)
            imported = import_file(user, project, upload, "workload")
        except (ProblemError, NotAllowed) as error:
            raise CommandError(str(error), returncode=2) from error
        for line in report_lines(imported.report) if imported.report else ():
            self.stdout.write(line)
        state = "stored" if imported.created else "already there"
        self.stdout.write(f"{imported.title}: {imported.summary}. It is {imported.reference} ({state}).")
        engine, slot = takers_of("workload", imported.schema)[0]
        self.stdout.write(f"Explore with it: paretoscope explore {engine} --{slot} {imported.reference}")
