"""Fits costs by kind of operator to the public measurements and writes `engines/survey/measurements/fits.json`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.survey.measurements.fits import pool_fit, write_fits
from engines.survey.measurements.pools import row_pools
from engines.survey.measurements.rows import all_measured_rows

if __name__ == "__main__":
    write_fits([pool_fit(each) for each in row_pools(all_measured_rows())])
