"""Fits costs by kind of operator to the public measurements and writes `fits.json`, `boards.csv.gz` and `kind_errors.json`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.survey.measurements.boards import board_kind_errors, compared_rows, write_boards
from engines.survey.measurements.fits import pool_fit, write_fits
from engines.survey.measurements.pools import row_pools
from engines.survey.measurements.rows import all_measured_rows

if __name__ == "__main__":
    pools = row_pools(all_measured_rows())
    fits = [pool_fit(each) for each in pools]
    write_fits(fits)
    write_boards(compared_rows(all_measured_rows(), pools, fits), board_kind_errors(pools))
