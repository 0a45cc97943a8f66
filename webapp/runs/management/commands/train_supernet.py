"""`manage.py train-supernet`: train a supernet in the foreground; its weights become a document of the catalogue."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from webapp.runs.document_files import explore_commands, reference_of, versions_made_by
from webapp.runs.management.commands import explore
from webapp.runs.models import Run
from webapp.teams.command_line import add_owner_arguments


class Command(explore.Command):
    """`manage.py explore train-supernet` with the data set by name, and word of where the weights are."""

    help = (
        "Train a supernet in the foreground, with a progress bar; the run is stored like any other, its weights in the catalogue. "
        "Ctrl-C stops it; the run's page goes on with it. Exit status: 0 done, 1 stopped or failed, 2 the problem is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", metavar="SLUG", help="data set of the catalogue (default: the bundled digits)")
        parser.add_argument(
            "--set", metavar="NAME=VALUE", action="append", default=[], help="a parameter of the engine"
        )
        parser.add_argument("--seed", type=int, default=0, help="seed of the random streams (default 0)")
        explore.add_time_limit_argument(parser)
        parser.add_argument("--title", help="name of the run")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write problem, designs and results to FILE")
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        data = [f"data={options['data']}"] if options["data"] else []
        given = {
            "engine": "train-supernet", "hardware": None, "workload": None, "dim": [], "exclude": [], "input": data
        }  # fmt: skip
        super().handle(*args, **{**options, **given})

    def _report(self, run: Run, console: Any, file: Any) -> None:
        super()._report(run, console, file)
        for version in versions_made_by(run):
            self.stdout.write(f"Weights: {reference_of(version)} ({version.summary})")
            for command in explore_commands("weights", version.content, reference_of(version)):
                self.stdout.write(f"Search with them: manage.py {command}")
