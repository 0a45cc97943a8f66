"""`manage.py measure-here`: registers, measures and calibrates this machine as a device."""

from __future__ import annotations

import platform
from argparse import ArgumentParser
from collections.abc import Sequence
from statistics import median
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from rich.table import Table

from engines.contract.errors import EngineError
from engines.contract.integer_format import many
from hardware.errors import HardwareError
from webapp.base.printing import print_table
from webapp.measuring import agent_process, calibrations, jobs
from webapp.measuring.calibration_networks import FITTED, NEVER_FITTED, QUICK_FITTED, QUICK_NEVER_FITTED
from webapp.measuring.devices import register
from webapp.measuring.models import AgentDevice
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.permissions import Action, Limits, NotAllowed, limited
from webapp.teams.visibility import personal_project


class Command(BaseCommand):
    help = (
        "Measure networks of the zoo on this machine and store it as a device of the catalogue with a "
        "calibration. Print the model error on networks outside the fit. Existing measurements are kept. "
        "Exit status: 0, 2 refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", default=platform.node() or "this machine", help="name of the device")
        parser.add_argument("--threads", type=int, nargs="+", help="numbers of threads (default: 1, and all cores)")
        parser.add_argument(
            "--networks", nargs="+", metavar="NETWORK", help="networks to fit to (default: a dozen of the zoo)"
        )
        parser.add_argument(
            "--predict", nargs="*", metavar="NETWORK", help="networks to predict and compare, never fitted"
        )
        parser.add_argument("--quick", action="store_true", help="a few small networks: a minute in all")
        parser.add_argument("--seconds", type=float, default=5.0, help="longest time of repetitions for each network")
        parser.add_argument("--again", action="store_true", help="measure existing measurements again")
        parser.add_argument(
            "--accept-load", type=float, default=0.2, metavar="CORES", help="cores for other programs meanwhile"
        )
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._measure(options)
        except (EngineError, HardwareError, agent_process.AgentError, NotAllowed, Http404) as error:
            raise CommandError(str(error), returncode=2) from error

    def _measure(self, options: dict[str, Any]) -> None:
        person = command_user(options["user"])
        project = command_project(person, options["project"]) or personal_project(person)
        machine, version = agent_process.probe(options["accept_load"])
        agent = limited(type(person).objects.get(pk=person.pk), Limits(frozenset({Action.MEASURE}), project.pk))
        device = register(agent, options["name"], machine, version)[0]
        counts = sorted(set(options["threads"] or [peak["threads"] for peak in machine["peaks"]]))
        self.stdout.write(f"{device.name}: {machine['processor']}, {machine['cores']} cores, {machine['runtime']}.")
        fitted, predicted = _networks(options)
        asked = jobs.ask(person, device, [*fitted, *predicted], counts, options["again"])
        self.stdout.write(f"{len(asked.waiting)} to measure, {len(asked.known)} known already.")
        self._work(device, options)
        for count in counts:
            self._calibrate(person, device, count, predicted)

    def _work(self, device: AgentDevice, options: dict[str, Any]) -> None:
        while (taken := jobs.take_here(device)) is not None:
            try:
                result = agent_process.measure(taken, options["seconds"], options["accept_load"])
            except agent_process.AgentError as error:
                loaded = "too loaded" in str(error)
                jobs.answer(taken, loaded=str(error) if loaded else "", refused=str(error))
                if loaded:
                    raise
                self.stdout.write(f"  {taken}: {error}")
                continue
            jobs.answer(taken, result={**result, "load_before_cores": 0.0})
            latency = result["latency_s"]
            self.stdout.write(
                f"  {taken.network.slug}, {many(taken.threads, 'thread')}: {1e3 * latency['median']:.4g} ms"
            )

    def _calibrate(self, person: Any, device: AgentDevice, threads: int, predicted: Sequence[str]) -> None:
        found = calibrations.calibrate_device(person, device, threads, predicted)
        errors = calibrations.network_errors(found.calibration)
        table = Table(title=f"{found.version.title}: whole networks outside the fit", title_justify="left")
        for head in ("Network", "Measured, ms", "Estimated, ms", "Error", "Which is"):
            table.add_column(head, justify="left" if head in ("Network", "Which is") else "right")
        for each in errors:
            words = "never fitted" if each.never_fitted else "left out"
            table.add_row(
                each.network, f"{each.measured_ms:.4g}", f"{each.estimated_ms:.4g}", f"{each.off:+.1%}", words
            )
        print_table(self.stdout, table)
        for name, kinds in found.skipped.items():
            self.stdout.write(f"No prediction of {name}: no fitted network has {', '.join(kinds)}.")
        offs = [abs(each.off) for each in errors]
        if offs:
            self.stdout.write(
                f"Median {median(offs):.1%}, largest {max(offs):.1%}. Stored as {found.version.document.slug}."
            )
        worst = max(found.operators, key=lambda each: each["share"] * each["off"])
        words = f"{worst['kind']} ({worst['share']:.0%} of the time, mean error {worst['off']:.0%})"
        self.stdout.write(f"Largest error source: {words}.")


def _networks(options: dict[str, Any]) -> tuple[list[str], list[str]]:
    usual = (QUICK_FITTED, QUICK_NEVER_FITTED) if options["quick"] else (FITTED, NEVER_FITTED)
    fitted = list(options["networks"] or usual[0])
    predicted = options["predict"] if options["predict"] is not None else ([] if options["networks"] else usual[1])
    return fitted, [name for name in predicted if name not in fitted]
