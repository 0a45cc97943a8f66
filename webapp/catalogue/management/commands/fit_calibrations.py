"""`manage.py fit-calibrations`: fits the calibrations that ship with the product and writes their documents."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.encoding.document_text import to_yaml
from engines.cost.calibration.fit import fit_calibration
from engines.cost.calibration.measurements import published_measurements
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import CALIBRATIONS, calibration_content
from hardware.soc.loader import builtin_socs, load_soc
from webapp.catalogue.calibration_tables import print_calibration


class Command(BaseCommand):
    help = (
        "Fit the SoC cost model to the published measurements in hardware/calibration/measurements. Write "
        "one document per source to hardware/calibration/builtin. Run it after a change of the cost model, "
        "of the measurements or of their networks."
    )

    needs_tables = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="one source (default: all of them)")

    def handle(self, *args: Any, **options: Any) -> None:
        sources = published_measurements()
        if options["slug"] and options["slug"] not in sources:
            raise CommandError(f"{options['slug']} must be one of: {', '.join(sources)}")
        for slug in [options["slug"]] if options["slug"] else sources:
            measurements = sources[slug]
            soc = load_soc(builtin_socs()[measurements.soc])
            calibration = fit_calibration(measurements, soc, builtin_network)
            path = CALIBRATIONS / f"{slug}.yaml"
            path.write_text(to_yaml(calibration_content(calibration, measurements.summary)), encoding="utf-8")
            print_calibration(self.stdout, calibration)
            self.stdout.write(f"Written to {path.relative_to(CALIBRATIONS.parents[1])}.")
