"""`manage.py study`: start a grid of runs from a file; workers do them."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from engines.contract.encoding.json_text import is_json, read_json
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from hardware.documents import DocumentSyntaxError, read_document
from webapp.base.printing import print_table
from webapp.runs.queue.workers import live_workers
from webapp.runs.results import summaries
from webapp.studies import service
from webapp.studies.cell_checks import StudyEstimate, check
from webapp.studies.document import read_grid
from webapp.studies.models import Study
from webapp.studies.study_table import printed_table
from webapp.studies.tables import choose, study_table, table_csv
from webapp.teams.command_line import command_project, command_user
from webapp.teams.visibility import NotAllowed

WATCH_EVERY_S = 0.5


class Command(BaseCommand):
    help = (
        "Start a study: one engine over a grid of inputs, parameters and seeds (docs/studies.md). Every cell is checked before "
        "anything is stored; workers do the runs. Exit status: 0 started, or with --wait all done; 1 some run stopped or "
        "failed; 2 the study is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the study document, YAML or JSON")
        parser.add_argument("--title", help="name of the study")
        parser.add_argument(
            "--user", help="whose study it is (default: demo, else a user named local, made on first use)"
        )
        parser.add_argument("--project", metavar="SLUG", help="where it belongs (default: the user's own project)")
        parser.add_argument("--check", action="store_true", help="check every cell and estimate; store nothing")
        parser.add_argument(
            "--wait", action="store_true", help="wait for the runs, with a progress bar; then the table"
        )
        parser.add_argument("--rows", metavar="AXIS", help="axis down (inputs.workload, params.n_splits)")
        parser.add_argument("--columns", metavar="AXIS", help="axis across, seed, or baselines")
        parser.add_argument("--quantity", metavar="NAME", help="what the table shows (default: what is searched for)")
        parser.add_argument("--csv", type=Path, metavar="FILE", help="with --wait: write the table to FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        user, console = command_user(options["user"]), Console(stderr=True)
        document = _document(options["file"])
        try:
            if options["check"]:
                self._estimate(check(user, document).estimate)
                return
            # A wrong axis is told now, not after the runs.
            choose(read_grid(document), options["rows"], options["columns"], options["quantity"])
            project = command_project(user, options["project"])
            study = service.create(user, document, project=project, title=options["title"])
        except (ProblemError, NotAllowed, Http404) as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"Study {study.pk}: {study.title}. {settings.PARETOSCOPE_PUBLIC_URL}/studies/{study.pk}")
        if options["wait"]:
            self._wait(study, console)
            self._report(study, options)

    def _estimate(self, estimate: StudyEstimate) -> None:
        low, high = (summaries.si(value, "s") for value in estimate.time_s)
        self.stdout.write(
            f"{many(estimate.cells, 'cell')}, at most {many(estimate.evaluations, 'evaluation')}, {low} to {high} on one worker. "
            "Nothing is stored."
        )
        for words in (*(f"Does not fit: {cell}" for cell in estimate.misfits), *estimate.notes):
            self.stdout.write(words)

    def _wait(self, study: Study, console: Console) -> None:
        if not live_workers():
            console.print("No worker is running: the runs stay queued until one starts (make up).")
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
        with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
            task = bar.add_task(study.title[:40], total=1.0)
            while (found := service.progress(study)).live:
                ended = found.total - found.queued - found.running
                bar.update(task, completed=found.fraction, description=f"{ended} of {many(found.total, 'run')}")
                time.sleep(WATCH_EVERY_S)

    def _report(self, study: Study, options: dict[str, Any]) -> None:
        table = study_table(study, options["rows"], options["columns"], options["quantity"])
        self.stdout.write(f"{table.quantity.title}, median over the runs of a cell")
        print_table(self.stdout, printed_table(table))
        if options["csv"] is not None:
            options["csv"].write_text(table_csv(table))
        found = service.progress(study)
        if found.to_continue:
            raise CommandError(f"{many(found.failed, 'run')} failed, {found.stopped} stopped.", returncode=1)


def _document(file: Path) -> Any:
    try:
        return read_json(file.read_text(encoding="utf-8")) if is_json(file.name) else read_document(file).content
    except (OSError, ValueError, DocumentSyntaxError) as error:
        raise CommandError(f"{file} cannot be read as YAML or JSON: {error}", returncode=2) from error
