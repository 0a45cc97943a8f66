"""`manage.py boards evaluate`: predictions beside the measurements of a file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.table import Table

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.survey.measurements.evaluation import GroupEvaluation, evaluate
from engines.survey.measurements.rows import read_rows
from webapp.base.printing import print_table

_FITTED = 1


class Command(BaseCommand):
    help = (
        "Compare predictions with the measurements of FILE, a CSV file with the columns of the public tables. "
        "Nothing is stored. "
        "Exit status: 0 compared, 1 a fit has seen a row, 2 refused."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, parser_class=type(parser))
        one = actions.add_parser("evaluate", help="compare predictions with measurements")
        one.add_argument("file", type=Path, help="CSV file")
        one.add_argument("--json", type=Path, metavar="FILE", help="write the comparison to FILE")
        one.add_argument("--allow-fitted", action="store_true", help="accept rows that a fit has seen")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = evaluate(read_rows(options["file"]))
            if options["json"]:
                content = {"groups": [each.plain() for each in found]}
                options["json"].write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        except ProblemError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{options['json']} cannot be written ({error.strerror}).", returncode=2) from error
        print_table(self.stdout, _table(found))
        seen = sum(each.rows_seen_in_fit for each in found)
        if seen and not options["allow_fitted"]:
            words = f"A fit has seen {many(seen, 'row')} of the file. Add --allow-fitted to accept them."
            raise CommandError(words, returncode=_FITTED)


def _table(found: tuple[GroupEvaluation, ...]) -> Table:
    table = Table(title="Predictions and measurements")
    for name in ("Device", "Runtime", "Precision"):
        table.add_column(name, overflow="fold")
    for name in ("Rows", "Used", "Median error (%)", "Within 25 % (%)", "In the band (%)", "Seen in a fit"):
        table.add_column(name, justify="right")
    for each in found:
        plain = each.plain()
        shares = [plain[name] for name in ("median_error", "share_within_25_percent", "coverage_90")]
        words = ["" if share is None else f"{100 * share:.0f}" for share in shares]
        counts = [str(plain[name]) for name in ("rows", "used")]
        table.add_row(plain["device"], *each.group[1:], *counts, *words, str(plain["rows_seen_in_fit"]))
    return table
