"""`manage.py reproduce`: published results beside ours, computed now and stored for the page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from engines.errors import UnknownEngineError
from engines.registry import get_engine
from engines.reproductions import Comparison, flips, reproducible_engines
from webapp.reproductions.service import comparisons, reproduce
from webapp.runs.summaries import print_table


class Command(BaseCommand):
    help = (
        "Run the engines on what their publications report, store the comparisons for the page Reproductions and print published "
        "values beside ours: ratio, whether the same side wins, and which reading decides where that changes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("method", nargs="?", help="one engine (default: all of them)")
        parser.add_argument("--quick", action="store_true", help="only the comparisons that matter most")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the comparisons to FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        names = [options["method"]] if options["method"] else reproducible_engines()
        found = {}
        for name in names:
            found[name] = self._reproduce(name, options["quick"])
            self._print(name, found[name])
        if options["json"]:
            document = {name: [asdict(row) | {"ratio": row.ratio} for row in rows] for name, rows in found.items()}
            options["json"].write_text(json.dumps(document, indent=1))

    def _reproduce(self, name: str, quick: bool) -> list[Comparison]:
        columns = (TextColumn("{task.description}"), SpinnerColumn(), TimeElapsedColumn())
        try:
            with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
                task = progress.add_task(name)

                def show(row: Comparison) -> None:
                    progress.update(task, description=f"{name}: {row.name}, {row.reading}")

                return comparisons(reproduce(name, quick, show))
        except UnknownEngineError as error:
            raise CommandError(str(error)) from error

    def _print(self, name: str, rows: list[Comparison]) -> None:
        engine = get_engine(name)
        readings = dict.fromkeys((row.anchor, row.reading) for row in rows)
        for anchor, reading in readings:
            title = f"{engine.title} (version {engine.version}), {anchor}: {reading or 'no choice left open'}"
            print_table(
                self.stdout, _table(title, [row for row in rows if (row.anchor, row.reading) == (anchor, reading)])
            )
        for flip in flips(rows):
            self.stdout.write(
                f"{flip.anchor}, {flip.name}: as published with {_list(flip.holds)}; not with {_list(flip.fails)}."
            )
        for why in dict.fromkeys(row.why for row in rows if row.why):
            self.stdout.write(f"Where they differ: {why}")


def _table(title: str, rows: list[Comparison]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("Compared")
    for head in ("Published", "Ours", "Ours / published"):
        table.add_column(head, justify="right")
    for head in ("Same side wins", "Ours is", "Where"):
        table.add_column(head)
    for row in rows:
        side = {True: "yes", False: "no", None: ""}[row.ordering]
        values = [f"{value:.3g} {row.unit}" for value in (row.published, row.ours)]
        table.add_row(row.name, *values, f"{row.ratio:.2f}", side, row.kind, row.where)
    return table


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)
