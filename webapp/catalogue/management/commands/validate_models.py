"""`manage.py validate-models`: what the catalogue's models are checked against, computed now."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.table import Table

from engines.cost.calibration.datasheet import checked_rows
from engines.cost.calibration.fit import fit_calibration
from engines.cost.calibration.measurements import published_measurements
from engines.cost.dataflow.maestro_agreement import COMPARABLE, MaestroRows, agreement
from engines.workloads.loader import builtin_network
from engines.workloads.public_totals import TotalComparison, compare_totals
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.model import SocCalibration
from hardware.soc.loader import builtin_socs, load_soc
from webapp.base.printing import print_table
from webapp.catalogue.calibration_tables import print_calibration

# A stored figure differs from a fit of now by what optimisers of other library versions stop at.
REFIT_TOLERANCE = 0.002


class Command(BaseCommand):
    help = (
        "Compare every built-in network with published MACs and parameters. Fit every calibration of a "
        "system on a chip again and compare its rows with the stored ones. Compare the dataflow cost model "
        "with MAESTRO. Exit status: 1 where a network differs without a reason or a stored calibration "
        "differs from its measurements."
    )

    needs_tables = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="every network, not only those that differ by more than 1 %%"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = [*self._totals(options["all"]), *self._calibrations()]
        self._datasheets()
        self._maestro()
        if wrong:
            raise CommandError("; ".join(wrong), returncode=1)

    def _totals(self, everything: bool) -> list[str]:
        found = compare_totals()
        shown = [one for one in found if everything or one.verdict in ("exception", "off")]
        print_table(self.stdout, _totals_table(shown))
        for verdict, count in Counter(one.verdict for one in found).items():
            self.stdout.write(f"{verdict}: {count} of {len(found)} totals.")
        return [f"{one.slug}: {one.figure} differ without a reason" for one in found if one.verdict == "off"]

    def _calibrations(self) -> list[str]:
        wrong, fitted = [], []
        for slug, measurements in published_measurements().items():
            calibration = fit_calibration(measurements, load_soc(builtin_socs()[measurements.soc]), builtin_network)
            print_calibration(self.stdout, calibration)
            fitted.append(calibration)
            stored = load_calibration(builtin_calibrations()[slug])
            wrong += [f"{slug}: the stored document differs from the fit"] if _differs(calibration, stored) else []
        self.stdout.write(_xavier_words(fitted))
        return wrong

    def _datasheets(self) -> None:
        table = Table(title="Data-sheet estimates and published measurements", title_justify="left")
        for head in ("Row", "Measured", "Estimated", "Error"):
            table.add_column(head, justify="left" if head == "Row" else "right")
        for row in checked_rows():
            table.add_row(row.name, f"{row.measured:g} {row.in_unit}", f"{row.estimated:.4g}", f"{row.error:+.0%}")
        print_table(self.stdout, table)

    def _maestro(self) -> None:
        paths = [settings.BASE_DIR / "tests" / "data" / "maestro" / name for name in COMPARABLE]
        if not all(path.is_file() for path in paths):
            self.stdout.write("Agreement with MAESTRO: its tables are in the source checkout only.")
            return
        table = Table(title="Dataflow cost model and MAESTRO (nothing fitted)", title_justify="left")
        for head in ("Mapping", "Stride", "Rows", "Cycles exact", "Energy exact", "Worst"):
            table.add_column(head, justify="left" if head in ("Mapping", "Worst") else "right")
        for line in agreement(MaestroRows.read(*paths)):
            worst = f"{line.worst:.1%} ({line.worst_row})" if line.worst else ""
            counts = (str(line.rows), str(line.cycles_exact), str(line.energy_exact))
            table.add_row(line.mapping, line.stride, *counts, worst)
        print_table(self.stdout, table)


def _totals_table(found: Sequence[TotalComparison]) -> Table:
    table = Table(title="Networks and published totals", title_justify="left")
    table.add_column("Network")
    for head in ("Published", "Ours", "Difference"):
        table.add_column(head, justify="right")
    table.add_column("Verdict")
    table.add_column("Source, or why", overflow="fold")
    for one in found:
        error = "" if one.error is None else f"{one.error:+.1%}"
        public = "" if one.public is None else f"{one.public:g} {one.figure}"
        table.add_row(one.slug, public, f"{one.ours:.4g}", error, one.verdict, one.words)
    return table


def _differs(fitted: SocCalibration, stored: SocCalibration) -> bool:
    if [row.name for row in fitted.rows] != [row.name for row in stored.rows]:
        return True
    pairs = zip(fitted.rows, stored.rows, strict=True)
    return any(abs(mine.estimated / theirs.estimated - 1) > REFIT_TOLERANCE for mine, theirs in pairs)


def _xavier_words(calibrations: Sequence[SocCalibration]) -> str:
    """Return all published figures of Xavier together, each under the calibration of its source."""
    xavier = [calibration for calibration in calibrations if calibration.soc == "jetson-agx-xavier"]
    rows = [row for one in xavier for row in one.rows if row.role == "fitted" and row.in_unit != "ratio"]
    worst = max(rows, key=lambda row: abs(row.error))
    mean = sum(abs(row.error) for row in rows) / len(rows)
    decided = sum(one.effective_parameters for one in xavier)
    return (
        f"Xavier, {len(rows)} published latencies and energies under {len(xavier)} calibrations ({decided:.1f} parameters decided "
        f"by rows): mean {mean:.1%}, worst {abs(worst.error):.1%} ({worst.name})."
    )
