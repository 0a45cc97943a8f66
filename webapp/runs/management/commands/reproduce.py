"""`manage.py reproduce`: published results beside ours, computed now."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.table import Table

from engines.errors import UnknownEngineError
from engines.registry import get_engine
from engines.reproductions import Comparison, comparisons_of, flips, reproducible_engines
from webapp.runs.summaries import print_table


class Command(BaseCommand):
    help = (
        "Run the engines on what their publications report and print published values beside ours: ratio, whether the same "
        "side wins, and which reading of the publication decides where that changes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("method", nargs="?", help="one engine (default: all of them)")
        parser.add_argument("--quick", action="store_true", help="only the comparisons that matter most")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the comparisons to FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        names = [options["method"]] if options["method"] else reproducible_engines()
        found = {}
        for name in names:
            try:
                found[name] = list(comparisons_of(name, options["quick"]))
            except UnknownEngineError as error:
                raise CommandError(str(error)) from error
            self._print(name, found[name])
        if options["json"]:
            document = {name: [asdict(row) | {"ratio": row.ratio} for row in rows] for name, rows in found.items()}
            options["json"].write_text(json.dumps(document, indent=1))

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
