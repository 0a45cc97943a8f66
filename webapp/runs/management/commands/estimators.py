"""`manage.py estimators`: the cost models of layers, and conclusions under several of them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from rich.table import Table

from engines.chiplets.claims import compare_claim, holding_words, read_claim
from engines.chiplets.params import ScheduleParams
from engines.contract.errors import EngineError, ProblemError
from engines.cost.estimators.registry import array_estimator, estimator_class, estimator_names
from engines.workloads.document_families import SCENARIO
from engines.workloads.network import Scenario
from hardware.package.family import PACKAGE
from hardware.package.model import ChipletPackage
from webapp.base.printing import print_table
from webapp.catalogue.service import resolve
from webapp.runs.results.cost_models import cost_model_comparison, disagreement_lines, robust_sentences
from webapp.runs.service import get_run
from webapp.teams.command_line import command_user
from webapp.teams.visibility import Principal


class Command(BaseCommand):
    help = (
        "List the cost models of layers. Compare claims about packages, or designs of a run, under several of them. "
        "Exit status: 0 computed, 2 refused."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
        actions.add_parser("list", help="list the cost models")
        compare = actions.add_parser("compare", help="evaluate a claim under several cost models")
        compare.add_argument(
            "--claim", required=True, help='"edp(PACKAGE) < edp(PACKAGE)"; also latency and energy, and >'
        )
        compare.add_argument("--workload", required=True, metavar="SLUG", help="workload of the catalogue")
        compare.add_argument(
            "--estimators",
            default="dataflow,ideal-array",
            metavar="A,B",
            help="cost models (default: dataflow,ideal-array)",
        )
        compare.add_argument(
            "--table", type=Path, metavar="FILE", help="CSV with the costs of the cost model named table"
        )
        designs = actions.add_parser("run", help="evaluate the designs of a run under several cost models")
        designs.add_argument("run", type=int, metavar="NUMBER", help="number of the run")
        designs.add_argument(
            "--estimators", default="", metavar="A,B", help="cost models (default: that of the run and all others)"
        )
        for each in (compare, designs):
            each.add_argument("--json", type=Path, metavar="FILE", help="write the result to FILE")
            each.add_argument("--user", help="whose documents, in addition to the built-in ones")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except (EngineError, Http404) as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.", returncode=2) from error

    def _list(self, options: dict[str, Any]) -> None:
        for name in estimator_names():
            self.stdout.write(f"{name:<14} {estimator_class(name).title}")

    def _compare(self, options: dict[str, Any]) -> None:
        claim, user = read_claim(options["claim"]), command_user(options["user"])
        params = _params(options)
        packages = {name: _package(user, name) for name in (claim.left, claim.right)}
        workload = _scenario(user, options["workload"])
        found = compare_claim(claim, packages, workload, params)
        document = {"claim": options["claim"], "workload": options["workload"], **found}
        self._write(options["json"], document)
        table = Table(title=f"{options['claim']}, {workload.title}")
        for name in ("Cost model", "Holds", "Left", "Right", "Left / right", "Proven"):
            table.add_column(name)
        for name, each in found["estimators"].items():
            values = (f"{each[part]:.4g}" for part in ("left", "right", "ratio"))
            table.add_row(name, _yes(each["holds"]), *values, _yes(each["proven"]))
        print_table(self.stdout, table)
        self.stdout.write(holding_words(found["estimators"]))

    def _run(self, options: dict[str, Any]) -> None:
        run = get_run(command_user(options["user"]), options["run"])
        found = cost_model_comparison(run, _names(options["estimators"]))
        self._write(options["json"], {"run": run.pk, **found})
        for line in (*robust_sentences(found), *disagreement_lines(found)):
            self.stdout.write(line)

    def _write(self, file: Path | None, content: dict[str, Any]) -> None:
        if file:
            file.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _names(text: str) -> list[str]:
    """Return the cost models in a list of names; each once."""
    names = [*dict.fromkeys(part.strip() for part in text.split(",") if part.strip())]
    for name in names:
        array_estimator(name, field="estimators")
    return names


def _params(options: dict[str, Any]) -> dict[str, ScheduleParams]:
    """Return name of each cost model -> parameters of schedules under it."""
    table = options["table"].read_text(encoding="utf-8") if options["table"] else ""
    found = {}
    for name in _names(options["estimators"]):
        found[name] = ScheduleParams(cost_model=name, cost_table=table if name == "table" else "")
    if not found:
        raise ProblemError("estimators", options["estimators"], f"names out of {', '.join(estimator_names())}")
    return found


def _package(user: Principal, name: str) -> ChipletPackage:
    content = resolve(user, "hardware", name, field="claim").content
    if content.get("schema") != PACKAGE.schema:
        raise ProblemError("claim", name, "a package of chiplets")
    return PACKAGE.load(content)


def _scenario(user: Principal, name: str) -> Scenario:
    return SCENARIO.load(resolve(user, "workload", name).content)
