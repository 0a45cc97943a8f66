"""Published values of each board, with predictions of fits that have not seen the network.

`tools/fit_measured_rates.py` writes them: leaving out every network takes seconds, and a page has milliseconds.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engines.survey.measurements.fits import LEAST_ROWS, PoolFit
from engines.survey.measurements.kind_errors import OPERATORS, KindError, kind_errors
from engines.survey.measurements.pools import LEAST_NETWORKS, RowPool
from engines.survey.measurements.rows import MeasuredRow
from engines.survey.measurements.work import KINDS

BOARDS = Path(__file__).parent / "boards.csv.gz"
KIND_ERRORS = Path(__file__).parent / "kind_errors.json"
_MILLI = 1e-3
_DIGITS = 5


@dataclass(frozen=True)
class BoardRow:
    """One published value.

    Attributes:
        board: slug in the catalogue.
        measured_on: the device as its source calls it.
        network: slug in the zoo; "" where the zoo has none.
        model, runtime, precision, unit: as the source writes them.
        bits: bits of the precision.
        quantity: latency, throughput, energy or power; of `value`, which is in seconds, 1/s, joules or watts.
        measured_s: measured in seconds of one inference, or between two results; None of an energy or a power.
        predicted_s: by a fit without this network; None where there is none.
        band, band_of: factor that holds for 90 % of networks left out, and whose rows it is from; None and "" likewise.
        source, where, licence, date, note: as of `MeasuredRow`.
        reason: why nothing is predicted; "" where something is.
    """

    board: str
    measured_on: str
    network: str
    model: str
    runtime: str
    precision: str
    bits: str
    unit: str
    quantity: str
    batch: int
    value: float
    measured_s: float | None
    predicted_s: float | None
    band: float | None
    band_of: str
    source: str
    where: str
    licence: str
    date: str
    note: str
    reason: str

    @property
    def ratio(self) -> float | None:
        """Measured over predicted time."""
        return self.measured_s / self.predicted_s if self.measured_s and self.predicted_s else None

    @property
    def error(self) -> float | None:
        """Relative error of the prediction, signed: of the time, or of the throughput where that was measured."""
        if self.ratio is None:
            return None
        return self.ratio - 1 if self.quantity == "throughput" else 1 / self.ratio - 1


def compared_rows(rows: Sequence[MeasuredRow], pools: Sequence[RowPool], fits: Sequence[PoolFit]) -> list[BoardRow]:
    """Return the rows of boards, with predictions of fits that have not seen their networks.

    Args:
        rows: all.
        pools: pools of these rows.
        fits: to the pools, in the same order.
    """
    found: dict[MeasuredRow, tuple[float, float, str, str]] = {}
    for pool, fit in zip(pools, fits, strict=True):
        groups = {each.group: each.errors for each in fit.groups}
        for row, seconds in zip(pool.rows, pool.pool.left_out_ms() * _MILLI, strict=True):
            own = groups[row.device, row.runtime, row.precision]
            errors, whose = (
                (own, "this device") if own.rows >= LEAST_ROWS else (fit.errors, f"the family {fit.key.family}")
            )
            found[row] = float(seconds), errors.band, whose, fit.key.bits
    return [_board_row(board, row, found.get(row)) for row in rows for board in row.devices]


def _board_row(board: str, row: MeasuredRow, prediction: tuple[float, float, str, str] | None) -> BoardRow:
    seconds, band, whose, bits = prediction or (None, None, "", "")
    lacking = f"No fit: fewer than {LEAST_NETWORKS} networks were measured on devices of this family in this precision."
    return BoardRow(
        board, row.measured_on, row.network, row.model, row.runtime, row.precision, bits, row.unit, row.quantity, row.batch,
        row.value, row.seconds if row.quantity in ("latency", "throughput") and row.value > 0 else None, seconds, band, whose,
        row.source, row.where, row.licence, row.date, row.note, "" if prediction else row.reason or lacking,
    )  # fmt: skip


def board_kind_errors(pools: Sequence[RowPool]) -> dict[str, list[dict[str, Any]]]:
    """Return board -> kinds of operators that predictions of its networks left out are off by, in each width and quantity."""
    found: dict[str, list[dict[str, Any]]] = {}
    for pool in pools:
        kinds = pool.pool.left_out_by_kind_ms()
        columns = [[KINDS.index(each) for each in own] for own in OPERATORS.values()]
        times = np.column_stack([kinds[:, own].sum(axis=1) for own in columns])
        for board in sorted({each for row in pool.rows for each in row.devices}):
            own = np.array([board in row.devices for row in pool.rows])
            networks = [row.network for row, mine in zip(pool.rows, own, strict=True) if mine]
            errors = kind_errors(tuple(OPERATORS), times[own], pool.pool.times_ms[own], networks)
            about = {"bits": pool.key.bits, "quantity": pool.key.quantity, "batch": pool.key.batch}
            found.setdefault(board, []).extend({**about, **asdict(each)} for each in errors)
    return {board: errors for board, errors in sorted(found.items()) if errors}


def write_boards(rows: Sequence[BoardRow], errors: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Replace both files."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(each.name for each in fields(BoardRow))
    for row in rows:
        writer.writerow(_text(getattr(row, each.name)) for each in fields(BoardRow))
    BOARDS.write_bytes(gzip.compress(sink.getvalue().encode(), mtime=0))
    lines = [f"{json.dumps(board)}: {json.dumps(_short(each))}" for board, each in errors.items()]
    KIND_ERRORS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _text(value: object) -> str:
    return "" if value is None else f"{value:.{_DIGITS}g}" if isinstance(value, float) else str(value)


def _short(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: round(each, 3) if isinstance(each, float) else each for key, each in one.items()} for one in errors]


def board_rows(board: str) -> tuple[BoardRow, ...]:
    """Return the published values of a board, in the order of their tables."""
    return tuple(_row(line) for line in _lines().get(board, ()))


@cache
def _lines() -> Mapping[str, list[Mapping[str, str]]]:
    found: dict[str, list[Mapping[str, str]]] = {}
    with gzip.open(BOARDS, "rt", encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            found.setdefault(line["board"], []).append(line)
    return found


def _row(line: Mapping[str, str]) -> BoardRow:
    numbers = {name: float(line[name]) if line[name] else None for name in ("measured_s", "predicted_s", "band")}
    return BoardRow(**{**line, **numbers, "batch": int(line["batch"]), "value": float(line["value"])})  # type: ignore[arg-type]


def kind_errors_of(board: str) -> list[tuple[str, str, int, KindError]]:
    """Return width, quantity, batch and error of each kind that predictions for a board are off by."""
    names = {each.name for each in fields(KindError)}
    return [
        (
            str(each["bits"]),
            str(each["quantity"]),
            int(each["batch"]),
            KindError(**{k: v for k, v in each.items() if k in names}),
        )
        for each in _kind_errors().get(board, [])
    ]


@cache
def _kind_errors() -> Mapping[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(KIND_ERRORS.read_text(encoding="utf-8"))
    return found
