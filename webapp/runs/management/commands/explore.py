"""`manage.py explore`: run an engine in the foreground and store the run like any other."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from engines.contract.encoding.json_text import read_json
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.registry import engine_names, get_engine
from hardware.documents import DocumentSyntaxError, parse_value
from webapp.base.printing import print_table
from webapp.catalogue.command_line import add_network_arguments, upload_from
from webapp.catalogue.imports import names_file
from webapp.runs.foreground import run_here
from webapp.runs.inputs.default_inputs import usual_inputs
from webapp.runs.models import Run
from webapp.runs.results import summaries
from webapp.runs.storage.document_files import explore_commands, import_file, reference_of, versions_made_by
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.models import Project
from webapp.teams.visibility import NotAllowed, Principal, personal_project


def add_time_limit_argument(parser: ArgumentParser) -> None:
    """Add `--stop-after-minutes N`, the same for every command that computes a run."""
    parser.add_argument(
        "--stop-after-minutes",
        metavar="N",
        help="stop after N minutes of compute time and keep the designs found so far (default: run to the end)",
    )


class Command(BaseCommand):
    help = (
        "Search designs in the foreground, with a progress bar; the run is stored like any other. Ctrl-C "
        "stops it and keeps the stored designs. Exit status: 0 done or its time limit reached, 1 stopped "
        "or failed, 2 the problem is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("engine", help="name of the engine: " + ", ".join(engine_names()))
        parser.add_argument(
            "--hardware",
            metavar="SLUG|FILE",
            help="hardware of the catalogue, or a YAML file to store first (default: that of the "
            "engine; paretoscope documents lists all)",
        )
        parser.add_argument(
            "--workload", metavar="SLUG|FILE", help="workload of the catalogue, or a file, which is stored first"
        )
        parser.add_argument(
            "--input", metavar="SLOT=SLUG[@VERSION]|FILE", action="append", default=[], help="any input"
        )
        parser.add_argument(
            "--set", metavar="NAME=VALUE", action="append", default=[], help="a parameter of the engine"
        )
        parser.add_argument("--seed", type=_value, default=0, help="seed of the random streams (default 0)")
        add_time_limit_argument(parser)
        parser.add_argument(
            "--measure",
            metavar="device=N,designs=N",
            help="have a device measure designs during the search; also threads=N and wait_minutes=N (default: none)",
        )
        parser.add_argument("--title", help="name of the run")
        add_network_arguments(parser)
        add_owner_arguments(parser)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write problem, designs and results to FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        user = command_user(options["user"])
        console = Console(stderr=True)
        try:
            run = self._explore(user, options, console)
        except ProblemError as error:
            if options["json"]:
                facts = {"code": error.code, **error.facts(), "message": str(error)}
                options["json"].write_text(json.dumps({"error": facts}, default=str))
            raise CommandError(str(error), returncode=2) from error
        except (NotAllowed, Http404) as error:
            raise CommandError(str(error), returncode=2) from error
        self._report(run, console, options["json"])

    def _explore(self, user: Principal, options: dict[str, Any], console: Console) -> Run:
        project = command_project(user, options["project"])
        document = _document(options)
        document["inputs"] = _with_files_stored(user, project, options, document["inputs"], console)
        document["inputs"] |= _usual(user, document, console)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=console, transient=True) as progress:
            bar = progress.add_task(options["engine"], total=1.0)
            return run_here(
                user,
                document,
                project=project,
                title=options["title"],
                on_start=lambda run: console.print(f"Run {run.pk}: {run.title}"),
                on_step=lambda frame: progress.update(
                    bar, completed=frame.fraction, description=frame.message or options["engine"]
                ),
            )

    def _report(self, run: Run, console: Console, file: Path | None) -> None:
        if run.design_count:
            print_table(self.stdout, summaries.comparison_table(run, "Best design found"))
        self.stdout.write(f"{summaries.outcome_text(run)} {many(run.design_count, 'design')}. {summaries.run_url(run)}")
        for line in summaries.cost_lines(run):
            self.stdout.write(line)
        for version in versions_made_by(run):
            reference = reference_of(version)
            self.stdout.write(f"In the catalogue: {reference} ({version.summary})")
            for command in explore_commands(version.document.kind, version.content, reference):
                self.stdout.write(f"Search with it: paretoscope {command}")
        if file is not None:
            file.write_text(json.dumps(summaries.run_to_dict(run), allow_nan=False, separators=(",", ":")))
            console.print(f"Written: {file}")
        if run.time_limit_reached:
            console.print("To resume, open the run page and choose Continue.")
            return
        if run.status == Run.Status.STOPPED:
            raise CommandError("Stopped. To resume, open the run page and choose Continue.", returncode=1)
        if run.status != Run.Status.DONE:
            raise CommandError(f"The run did not end: it is {run.status}.", returncode=1)


def _usual(user: Principal, document: dict[str, Any], console: Console) -> dict[str, str]:
    """Return what is taken for required inputs that are not given; each is said in the words that would give it."""
    if document["engine"] not in engine_names():
        return {}  # refused with the problem
    found = usual_inputs(user, get_engine(document["engine"]), document["inputs"])
    for slot, (name, why) in found.items():
        option = f"--{slot} {name}" if slot in ("hardware", "workload") else f"--input {slot}={name}"
        console.print(f"{option} ({why})", highlight=False, soft_wrap=True)
    return {slot: name for slot, (name, _) in found.items()}


def _document(options: dict[str, Any]) -> dict[str, Any]:
    inputs = dict(_pair(text, "--input", "SLOT=SLUG") for text in options["input"])
    inputs |= {slot: options[slot] for slot in ("hardware", "workload") if options[slot]}
    # YAML tells 4, 0.5, true and words apart just as documents do.
    params = {name: _value(text) for name, text in (_pair(given, "--set", "NAME=VALUE") for given in options["set"])}
    document = {"engine": options["engine"], "inputs": inputs, "params": params, "seed": options["seed"]}
    if options["stop_after_minutes"] is not None:
        document["stop_after_minutes"] = _value(options["stop_after_minutes"])
    if options["measure"] is not None:
        pairs = (_pair(text, "--measure", "NAME=VALUE,...") for text in options["measure"].split(","))
        document["measure"] = {name: _value(text) for name, text in pairs}
    return document


def _value(text: str) -> Any:
    """Return what JSON reads, else YAML; texts that mean something else to it ("a: 1; b: 2", "off", "010") are themselves."""
    with suppress(ValueError):
        return read_json(text)
    try:
        found = parse_value(text)
    except DocumentSyntaxError:
        return text
    return text if isinstance(found, dict) and not text.lstrip().startswith("{") else found


def _with_files_stored(
    user: Principal, project: Project | None, options: dict[str, Any], inputs: dict[str, str], console: Console
) -> dict[str, str]:
    """Return the inputs with each file stored as a version of a document of its own, and named by it."""
    engine = options["engine"]
    kinds = get_engine(engine).inputs if engine in engine_names() else {}  # what is unknown is refused with the problem
    named = dict(inputs)
    for slot, given in inputs.items():
        if slot in kinds and names_file(given):
            target = project or personal_project(user)
            upload = replace(upload_from(Path(given), options, kinds[slot].kind), next_version=True)
            named[slot] = import_file(user, target, upload, kinds[slot].kind).reference
            console.print(f"{given} is {named[slot]}")
    return named


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise CommandError(f"{option} must be {form}. Got {text!r} instead.", returncode=2)
    return name, value
