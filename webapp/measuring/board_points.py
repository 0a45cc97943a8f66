"""Measured values of a board next to predictions: published ones, and those imported by projects."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from engines.contract.arrays import FloatArray
from engines.contract.bounded_cache import BoundedCache
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.documents import families
from engines.exchange.csv_cells import as_text
from engines.survey.measurements.boards import BoardRow, board_rows
from engines.survey.measurements.fits import fit_of
from engines.survey.measurements.pools import PoolKey, family_of_boards
from engines.survey.measurements.prediction import Prediction, calibrated, predict
from engines.survey.measurements.work import network_work
from hardware.bits import bit_widths
from webapp.catalogue.entries import DocumentEntry
from webapp.catalogue.names import get_entry
from webapp.measuring.models import ImportedValue
from webapp.measuring.overview import shared_overviews
from webapp.measuring.value_imports import imported_values
from webapp.teams.visibility import Principal

_MOST_NETWORKS = 40  # that a page reads anew
_MILLI = 1e-3
_NO_CALIBRATION = "The calibration of this device has no estimate of the network."
_work: BoundedCache[tuple[str, str], FloatArray] = BoundedCache(400)


@dataclass(frozen=True)
class BoardPoint:
    """One measured value.

    Attributes:
        row: the value with its prediction, or the reason why there is none.
        project: slug of the project that imported it, or of the device that shares it; "" for a published one.
        origin: number of the import; None for a published value.
    """

    row: BoardRow
    project: str = ""
    origin: int | None = None


def board_points(principal: Principal, board: DocumentEntry) -> tuple[BoardPoint, ...]:
    """Return the published values of a built-in board, the imported ones that `principal` sees, and those that devices share."""
    published = board_rows(board.slug) if board.builtin else ()
    values = imported_values(principal, board.name)
    reader = _Networks(principal)
    imported = (
        BoardPoint(_imported_row(board, value, published, reader), value.origin.project.slug, value.origin_id)
        for value in values
    )
    return (*(BoardPoint(row) for row in published), *imported, *(_shared(board.slug) if board.builtin else ()))


def _shared(board: str) -> Iterator[BoardPoint]:
    """Yield what agents measured on devices that are shared on the board's page, with the estimates of their calibrations."""
    for found in shared_overviews(board):
        device, machine = found.device, found.device.machine
        for each in (each for each in found.networks if each.latency_ms):
            seconds = each.latency_ms[0] * _MILLI if each.latency_ms else 0.0
            predicted = each.estimate.estimated_ms * _MILLI if each.estimate else None
            name = f"{device.name}: {machine['processor']}, {machine['cores']} cores"
            row = BoardRow(
                board, name, each.network, each.network, machine["runtime"], "fp32", "fp32", f"CPU, {many(each.threads, 'thread')}",
                "latency", 1, seconds, seconds, predicted, None, "", f"agent {device.agent}".strip(), "", "",
                f"{each.ended:%Y-%m-%d}" if each.ended else "", each.conditions, "" if predicted else _NO_CALIBRATION,
            )  # fmt: skip
            yield BoardPoint(row, device.slug)


def points_csv(points: Sequence[BoardPoint]) -> str:
    """Return a line per value, with its prediction and source."""
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow([*(each.name for each in fields(BoardRow)), "project"])
    for point in points:
        cells = ("" if value is None else str(value) for value in astuple(point.row))
        writer.writerow(map(as_text, (*cells, point.project)))
    return sink.getvalue()


class _Networks:
    """Work of networks by name, for as many as a page has time for."""

    def __init__(self, principal: Principal) -> None:
        self._principal, self._left, self._entries = principal, _MOST_NETWORKS, dict[str, DocumentEntry | None]()

    def work(self, name: str, bits: str) -> FloatArray | None:
        """Return the work by kind; None where the network is gone, or the page has read its share."""
        if name not in self._entries:
            self._entries[name] = self._entry(name)
        entry = self._entries[name]
        if entry is None:
            return None
        key = (f"{entry.name} {'' if entry.builtin else entry.content_hash}", bits)
        if _work.get(key) is None:
            if self._left <= 0:
                return None
            self._left -= 1
        return _work.made(key, lambda: network_work(families.load(entry.content, entry.kind), bit_widths(bits)))

    def _entry(self, name: str) -> DocumentEntry | None:
        try:
            return get_entry(self._principal, "workload", name)
        except ProblemError:
            return None


def _imported_row(
    board: DocumentEntry, value: ImportedValue, published: Sequence[BoardRow], networks: _Networks
) -> BoardRow:
    seconds, band, whose, reason = None, None, "", ""
    if value.metric == "energy":
        reason = "No energy is predicted from public measurements."
    elif (same := _same_network(value, published)) is not None:
        seconds, band, whose = same.predicted_s, same.band, same.band_of
    elif (found := _prediction(board, value, networks)) is not None:
        seconds, band, whose = found.seconds, found.band, found.band_of
    else:
        reason = f"No public {value.metric} of this family in this precision and batch, or the network cannot be read."
    measured = {"latency": value.value, "throughput": 1 / value.value}.get(value.metric)
    version = " ".join(filter(None, (value.runtime_version, value.statistic)))
    return BoardRow(
        board.slug, "", value.network, value.network, value.runtime, value.precision, value.precision, value.unit, value.metric,
        value.batch, value.value, measured, seconds, band, whose, value.origin.source, f"{value.origin.file}, {value.place}",
        value.origin.licence, value.measured_on, version, reason,
    )  # fmt: skip


def _same_network(value: ImportedValue, published: Sequence[BoardRow]) -> BoardRow | None:
    """Return a published row of the network, whose prediction has not seen it; of the same runtime first."""
    asked = (value.network, value.precision, value.metric, value.batch)
    rows = [row for row in published if row.predicted_s and (row.network, row.bits, row.quantity, row.batch) == asked]
    return min(rows, key=lambda row: (row.runtime.lower() != value.runtime.lower(), row.band), default=None)


def _prediction(board: DocumentEntry, value: ImportedValue, networks: _Networks) -> Prediction | None:
    if not board.builtin:
        return None
    key = PoolKey(family_of_boards((board.slug,)), value.precision, value.metric, value.batch)
    fit = fit_of(key)
    work = networks.work(value.network, value.precision) if fit is not None else None
    if fit is None or work is None:
        return None
    own = [each for each in fit.groups if board.slug in each.boards]
    if own:
        best = min(own, key=lambda each: (each.runtime.lower() != value.runtime.lower(), each.errors.median))
        return calibrated(fit, best, work)
    return predict(key, (board.slug, value.runtime, value.precision), (board.slug,), value.unit.upper(), work)


def imports_of(points: Sequence[BoardPoint]) -> Mapping[int, int]:
    """Return number of each import -> how many of the values are from it."""
    found: dict[int, int] = {}
    for point in points:
        if point.origin is not None:
            found[point.origin] = found.get(point.origin, 0) + 1
    return found
