"""`manage.py reproduce`: published results computed again now and stored for the page, or as they are shown."""

from __future__ import annotations

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from engines.contract.errors import ProblemError, UnknownEngineError
from engines.registry import get_engine
from engines.reproduction.comparisons import Comparison, ValueComparison, compared, flips
from engines.reproduction.reproductions import not_compared_of, readings_of, reproducible_engines, ship
from engines.reproduction.verdicts import verdict_counts
from engines.running.runner.child import platform_facts
from webapp import VERSION
from webapp.base.printing import print_table
from webapp.reproductions.service import comparisons, reproduce, shown, to_json
from webapp.runs.storage.json_values import finite

_REPORT_WIDTH = 160


class Command(BaseCommand):
    help = (
        "Compute the published results of the engines again and store the comparisons for the page "
        "Reproductions. Print published and computed values: the ratio, whether the winner is the same, "
        "and which reading changes it."
    )

    _report: Console | None = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("method", nargs="?", help="one engine (default: all of them)")
        parser.add_argument("--all", action="store_true", help="all of them, as without an engine")
        parser.add_argument("--quick", action="store_true", help="only the comparisons that matter most")
        parser.add_argument(
            "--processes", type=int, default=_cores(), metavar="N", help="number of processes (default: one per core)"
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the comparisons to FILE")
        parser.add_argument(
            "--report",
            type=Path,
            metavar="FILE",
            help="write the tables and their explanations to FILE as an HTML page",
        )
        instead = parser.add_mutually_exclusive_group()
        instead.add_argument("--show", action="store_true", help="compute nothing: print the comparisons of the page")
        instead.add_argument(
            "--write",
            action="store_true",
            help="for a release: compute everything on one core and write reproduced.yaml next to published.yaml",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["processes"] < 1:
            raise CommandError(f"--processes must be at least 1. Got {options['processes']} instead.")
        if options["all"] and options["method"]:
            raise CommandError("--all takes no engine: leave out one of both.")
        names = [options["method"]] if options["method"] else reproducible_engines()
        if options["report"]:
            self._report = Console(record=True, file=StringIO(), width=_REPORT_WIDTH)
            facts = ", ".join(f"{name} {value}" for name, value in platform_facts().items())
            self._say(f"Paretoscope {VERSION} on {datetime.now(UTC):%Y-%m-%d}: {facts}.")
        try:
            if options["write"]:
                self._write(names)
                return
            found = {name: self._found(name, options) for name in names}
        except (UnknownEngineError, ProblemError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            document = {
                name: [to_json(row) | {"ratio": finite(row.ratio)} for row in rows] for name, rows in found.items()
            }
            options["json"].write_text(json.dumps(document, indent=1))

    def _found(self, name: str, options: dict[str, Any]) -> list[Comparison]:
        """Return the rows of a method, computed now or as they are shown, which are printed as well."""
        if options["show"]:
            seen = shown(name)
            rows = [row for row in seen.rows if row.key in seen.computed]
            labels = [made.words + (" (out of date)" if made.outdated else "") for made in seen.origins]
        else:
            begun = time.monotonic()
            try:
                rows = self._reproduce(name, options["quick"], options["processes"])
            except ProblemError as error:
                if options["method"]:
                    raise
                self._say(f"{name} is not computed here: {error} The values of the release follow.")
                return self._found(name, options | {"show": True})
            labels = [f"computed now, in {time.monotonic() - begun:.0f} s on {options['processes']} processes"]
        self._print(name, rows)
        for label in labels:
            self._say(f"Values {label}.")
        if options["report"] and self._report:  # after each method: the later ones may take minutes
            page = self._report.export_html(clear=False).replace(
                "<head>", f"<head>\n<title>Paretoscope {VERSION}: reproductions</title>"
            )
            options["report"].write_text(page, encoding="utf-8")
        return rows

    def _say(self, part: str | Table) -> None:
        """Print a line or a table, to the report as well."""
        if isinstance(part, Table):
            print_table(self.stdout, part)
        else:
            self.stdout.write(part)
        if self._report:
            self._report.print(part, markup=False, highlight=False)

    def _write(self, names: Sequence[str]) -> None:
        for name in names:
            path = ship(name, f"manage.py reproduce {name} --write", datetime.now(UTC).date(), self.stderr.write)
            self.stdout.write(f"{path} written.")

    def _reproduce(self, name: str, quick: bool, processes: int) -> list[Comparison]:
        columns = (TextColumn("{task.description}"), SpinnerColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(name)

            def show(row: Comparison) -> None:
                progress.update(task, description=f"{name}: {row.name}, {row.reading}")

            return comparisons(reproduce(name, quick, show, processes))

    def _print(self, name: str, rows: list[Comparison]) -> None:
        engine = get_engine(name)
        for anchor in dict.fromkeys(row.anchor for row in rows):
            title = f"{engine.title} (version {engine.version}), {anchor}"
            self._say(_table(title, compared(row for row in rows if row.anchor == anchor)))
        counts = verdict_counts(compared(rows), {row.key for row in rows})
        self._say("Verdicts: " + ", ".join(f"{verdict} {count}" for verdict, count in counts.items()) + ".")
        words = readings_of(name)
        for reading in dict.fromkeys(row.reading for row in rows if row.reading):
            told = [row.ordering for row in rows if row.reading == reading and row.ordering is not None]
            self._say(f"{reading}: same winner in {sum(told)} of {len(told)}. {words.get(reading, '')}.")
        for flip in flips(rows):
            self._say(
                f"{flip.anchor}, {flip.name}: as published with {_list(flip.holds)}; not with {_list(flip.fails)}."
            )
        for why in dict.fromkeys(row.why for row in rows if row.why):
            self._say(f"Where they differ: {why}")
        for entry in not_compared_of(name):
            places = ", ".join(dict.fromkeys(value.where for value in entry.values))
            self._say(f"Published values without a comparison, {len(entry.values)} of {places}: {entry.because}")


def _table(title: str, found: Sequence[ValueComparison]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("Compared", min_width=40)
    several = any(len(each.by_reading) > 1 for each in found)
    spreads = ("All readings",) if several else ()
    read = any(each.first.reading for each in found)
    for head in ("Published", "Ours", "Ratio"):
        table.add_column(head, justify="right")
    if read:
        table.add_column("Reading", no_wrap=True)
    table.add_column("Computed value is")
    for head in spreads:
        table.add_column(head, justify="right")
    for head in ("Same winner", "Where"):
        table.add_column(head)
    for number, each in enumerate(found):
        row, (agreeing, told) = each.first, each.agreeing
        ours = f"{row.ours:.3g} {row.unit}" if isfinite(row.ours) else "-"
        spread = " to ".join(f"{value:.3g}" for value in each.range or ()) if len(each.by_reading) > 1 else ""
        sides = f"{agreeing} of {told}" if told else ""
        ends = number + 1 == len(found) or found[number + 1].first.group != row.group
        table.add_row(
            row.name,
            _published(row),
            ours,
            f"{row.ratio:.2f}" if isfinite(row.ratio) else "",
            *((row.reading,) if read else ()),
            row.kind,
            *((spread,) if several else ()),
            sides,
            row.where,
            end_section=ends,
        )
    return table


def _published(row: Comparison) -> str:
    if not isfinite(row.published):
        return "-"
    ends = (row.published,) if row.published_high is None else (row.published, row.published_high)
    return f"{' to '.join(f'{end:.3g}' for end in ends)} {row.unit}"


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
