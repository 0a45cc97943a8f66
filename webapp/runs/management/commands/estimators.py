"""`manage.py estimators`: the cost models of layers, and conclusions under several of them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from rich.table import Table

from engines.chiplets.claims import compare_claim, holding_words, read_claim
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.tables import array_units
from engines.contract.errors import EngineError, ProblemError
from engines.contract.integer_format import many
from engines.cost.estimators.registry import array_estimator_names, estimator_class, estimator_names
from engines.cost.estimators.table import write_costs
from engines.cost.estimators.tools.cost_cache import CostCache
from engines.cost.estimators.tools.tool_estimators import TOOL_ESTIMATORS
from engines.cost.estimators.tools.tool_process import TOOLS, ToolLimits, install, is_installed, tool_named
from engines.documents.problems import validate_params
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
        installed = actions.add_parser("install", help="install a tool in an environment of its own")
        installed.add_argument("tool", help=f"one of {', '.join(TOOLS)}")
        costs = actions.add_parser("costs", help="write the table of costs of a workload by an installed tool")
        costs.add_argument("tool", help=f"one of {', '.join(TOOLS)}")
        costs.add_argument("--hardware", required=True, metavar="SLUG", help="package of the catalogue")
        costs.add_argument("--workload", required=True, metavar="SLUG", help="workload of the catalogue")
        costs.add_argument("--output", required=True, type=Path, metavar="FILE", help="CSV for the cost model table")
        for each in (compare, costs):
            each.add_argument(
                "--layer-limit-s", type=float, default=ToolLimits.answer_s, metavar="S",
                help=f"longest time of a tool for one layer, in seconds (default: {ToolLimits.answer_s:g})",
            )  # fmt: skip
        costs.add_argument("--user", help="whose documents, in addition to the built-in ones")
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
        for tool in TOOLS.values():
            state = "installed" if is_installed(tool, _tools_folder()) else f"manage.py estimators install {tool.name}"
            self.stdout.write(f"{tool.name:<14} {tool.title} {tool.version} ({state})")

    def _compare(self, options: dict[str, Any]) -> None:
        claim, user = read_claim(options["claim"]), command_user(options["user"])
        names = _names(options["estimators"], tuple(TOOLS))
        if not names:
            raise ProblemError("estimators", options["estimators"], "names of cost models, separated by commas")
        packages = {name: _package(user, name) for name in (claim.left, claim.right)}
        workload = _scenario(user, options["workload"])
        tables = {"table": options["table"].read_text(encoding="utf-8")} if options["table"] else {}
        tables |= {name: self._table(name, [*packages.values()], workload, options) for name in names if name in TOOLS}
        found = compare_claim(claim, packages, workload, {name: _params(name, tables.get(name, "")) for name in names})
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

    def _install(self, options: dict[str, Any]) -> None:
        tool = tool_named(options["tool"])
        self.stdout.write(f"{tool.title} {tool.version} is in {install(tool, _tools_folder())}.")

    def _costs(self, options: dict[str, Any]) -> None:
        user = command_user(options["user"])
        package, workload = _package(user, options["hardware"], "hardware"), _scenario(user, options["workload"])
        text = self._table(tool_named(options["tool"]).name, [package], workload, options)
        options["output"].write_text(text, encoding="utf-8")
        self.stdout.write(f"Written: {options['output']}. Use it with cost_model=table and cost_table.")

    def _table(self, tool: str, packages: Sequence[ChipletPackage], workload: Scenario, options: dict[str, Any]) -> str:
        """Return a tool's costs of all layers on all kinds of chiplets; says before how long the missing ones take."""
        folder, limits = _tools_folder(), ToolLimits(answer_s=options["layer_limit_s"])
        estimator = TOOL_ESTIMATORS[tool](folder, CostCache(folder / "costs.sqlite3"), limits, TOOLS[tool])
        units = {unit: None for package in packages for unit in array_units(package, ScheduleParams())}
        networks = dict.fromkeys(model.network for model in workload.models)
        pairs = [(network, unit) for network in networks for unit in units]
        missing = [estimator.missing_s(*pair) for pair in pairs]
        count, seconds = (sum(each[place] for each in missing) for place in (0, 1))
        if count:
            self.stderr.write(
                f"{estimator.title} computes {many(int(count), 'layer')}: about {seconds:.2g} s on one core."
            )
        return write_costs((network, unit.name, estimator.estimate(network, unit)) for network, unit in pairs)

    def _write(self, file: Path | None, content: dict[str, Any]) -> None:
        if file:
            file.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _tools_folder() -> Path:
    return Path(settings.PARETOSCOPE_VAR) / "estimators"


def _names(text: str, tools: tuple[str, ...] = ()) -> list[str]:
    """Return the cost models in a list of names, each once; raises `ProblemError` for an unknown one."""
    names, known = [*dict.fromkeys(part.strip() for part in text.split(",") if part.strip())], array_estimator_names()
    for name in names:
        if name not in (*known, *tools):
            raise ProblemError("estimators", name, f"one of {', '.join((*known, *tools))}")
    return names


def _params(name: str, table: str) -> ScheduleParams:
    found = validate_params(ScheduleParams, {"cost_model": "table" if name in TOOLS else name, "cost_table": table})
    return cast(ScheduleParams, found)


def _package(user: Principal, name: str, field: str = "claim") -> ChipletPackage:
    content = resolve(user, "hardware", name, field=field).content
    if content.get("schema") != PACKAGE.schema:
        raise ProblemError(field, name, "a package of chiplets")
    return PACKAGE.load(content)


def _scenario(user: Principal, name: str) -> Scenario:
    return SCENARIO.load(resolve(user, "workload", name).content)
