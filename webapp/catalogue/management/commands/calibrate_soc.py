"""`manage.py calibrate-soc`: a calibration of a system on a chip from one's own measurements."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from hardware.errors import HardwareError
from webapp.catalogue.calibration_files import MeasurementFiles, OwnCalibration, about_of, calibrate, store_calibration
from webapp.catalogue.calibration_tables import print_calibration
from webapp.catalogue.command_line import add_next_version_argument, clocks
from webapp.teams.command_line import add_owner_arguments, command_project, command_user
from webapp.teams.visibility import NotAllowed, Principal, personal_project

_MOST_NAMED = 5


class Command(BaseCommand):
    help = (
        "Fit the SoC cost model to your own measurements and store the result as a calibration of your "
        "project. FILE is the profile that `trtexec --exportProfile` writes, or a CSV. The CSV has the "
        "columns layer, unit and latency_ms. Optional columns are power_w or energy_mj, batch, workload "
        "and <unit>_mhz. Exit status: 0 stored, 2 refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("soc", help="system on a chip of the catalogue")
        parser.add_argument("file", type=Path, help="CSV of layers, or TensorRT's per-layer profile")
        parser.add_argument("--workload", default="", help="network of the catalogue, for files without a network")
        parser.add_argument("--unit", default="", help="unit that ran it, for files without a unit")
        parser.add_argument(
            "--clock",
            metavar="NAME=MHZ",
            action="append",
            default=[],
            help="clock of a unit or memory during the measurements",
        )
        parser.add_argument("--tegrastats", type=Path, metavar="LOG", help="log of the same run, for its power")
        parser.add_argument("--rails", default="", help="supply rails of the log that count, separated by commas")
        parser.add_argument(
            "--precision", default="fp16", choices=["int8", "fp16", "fp32"], help="of the measured runs"
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--prior", default="", help="calibration whose values are the starting point")
        how.add_argument(
            "--scale", default="", help="scale this calibration to totals of whole networks, without a fit"
        )
        parser.add_argument("--slug", help="name of the calibration (default: from device and file)")
        parser.add_argument("--title", help="title of the calibration")
        parser.add_argument("--author", help="who measured (default: the account)")
        parser.add_argument("--output", type=Path, metavar="FILE", help="write the document to FILE and store nothing")
        add_next_version_argument(parser)
        add_owner_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = command_user(options["user"])
        try:
            files = _files(options)
            said = {key: options[key] or "" for key in ("slug", "title", "precision")}
            found = calibrate(user, files, about_of(files, author=options["author"] or user.get_username(), **said))
            print_calibration(self.stdout, found.calibration)
            self._tell_unmatched(found)
            self.stdout.writelines(f"{note}\n" for note in found.report["notes"])
            self._keep(user, found, options)
        except (ProblemError, HardwareError, NotAllowed, Http404, OSError) as error:
            raise CommandError(str(error), returncode=2) from error

    def _tell_unmatched(self, found: OwnCalibration) -> None:
        lost = found.report["unmatched"]
        if lost:
            total = sum(line["latency_ms"] for line in lost)
            named = [f"{line['name']} (line {line['line']})" for line in lost[:_MOST_NAMED]]
            names = ", ".join(named) + (", ..." if len(lost) > _MOST_NAMED else "")
            self.stdout.write(
                f"{many(len(lost), 'line')} ({total:.3g} ms) without an operation of the network: {names}."
            )

    def _keep(self, user: Principal, found: OwnCalibration, options: dict[str, Any]) -> None:
        if options["output"]:
            options["output"].write_text(to_yaml(found.content), encoding="utf-8")
            self.stdout.write(f"Written to {options['output']}.")
            return
        project = command_project(user, options["project"]) or personal_project(user)
        version = store_calibration(user, project, found.content, options["next_version"])
        self.stdout.write(f"Stored as calibration {version.document.slug}, version {version.number}.")


def _files(options: dict[str, Any]) -> MeasurementFiles:
    log = options["tegrastats"]
    return MeasurementFiles(
        soc=options["soc"],
        data=options["file"].read_bytes(),
        file=options["file"].name,
        workload=options["workload"],
        unit=options["unit"],
        clocks_mhz=clocks(options["clock"]),
        tegrastats=log.read_bytes() if log else b"",
        rails=tuple(name.strip() for name in options["rails"].split(",") if name.strip()),
        prior=options["prior"],
        scales=options["scale"],
    )
