"""Published values of boards beside predictions that have not seen the network: the shipped files are what the fits give."""

import numpy as np
import pytest

from engines.survey.measurements import boards
from engines.survey.measurements.boards import (
    board_kind_errors,
    board_rows,
    compared_rows,
    kind_errors_of,
    write_boards,
)
from engines.survey.measurements.fits import pool_fit
from engines.survey.measurements.pools import row_pools
from engines.survey.measurements.rows import all_measured_rows, measured_rows


def test_every_published_value_of_a_board_is_there_with_a_prediction_or_a_reason() -> None:
    rows = board_rows("snapdragon-8-elite")
    assert len(rows) == len(measured_rows("snapdragon-8-elite")) > 100
    assert all((row.predicted_s is None) == bool(row.reason) for row in rows)
    assert all(row.source and row.licence and row.date for row in rows)
    compared = [row for row in rows if row.ratio]
    assert len(compared) > 50 and all(row.band and row.band > 1 and row.band_of and row.bits for row in compared)
    assert board_rows("openmv-h7") == ()


def test_the_shipped_values_are_those_of_the_fits(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    every = [row for row in all_measured_rows() if row.source.startswith("airockchip")]
    pools = row_pools(every)
    fits = [pool_fit(each) for each in pools]
    found = [row for row in compared_rows(every, pools, fits) if row.board == "rk3588"]
    shipped = board_rows("rk3588")
    assert [(row.model, row.precision, row.reason) for row in found] == [
        (r.model, r.precision, r.reason) for r in shipped
    ]
    pairs = [(one.predicted_s, two.predicted_s) for one, two in zip(found, shipped, strict=True) if one.predicted_s]
    assert pairs and np.allclose(*np.array(pairs).T, rtol=1e-3)
    monkeypatch.setattr(boards, "BOARDS", tmp_path / "boards.csv.gz")  # type: ignore[operator]
    monkeypatch.setattr(boards, "KIND_ERRORS", tmp_path / "kind_errors.json")  # type: ignore[operator]
    write_boards(found, board_kind_errors(pools))
    monkeypatch.setattr(boards, "_lines", boards._lines.__wrapped__)
    assert board_rows("rk3588")[0] == shipped[0]


def test_errors_by_kind_name_width_and_quantity() -> None:
    boards_told = [each for each in ("qcs9075", "rv1126", "sa8255p", "rk3588") for each in kind_errors_of(each)]
    assert all(error.low > 1 or error.high < 1 for _, _, _, error in boards_told)
    assert all(
        bits and quantity in ("latency", "throughput") and batch >= 1 for bits, quantity, batch, _ in boards_told
    )
