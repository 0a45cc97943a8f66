"""Fits the rates of boards to public measurements of language models and writes `engines/survey/language/fits.yaml`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.survey.language.fit import stage_fits
from engines.survey.language.stage_rates import FITS

HEAD = """\
# Rates of boards that run language models, fitted to hardware/soc/boards/language_measured.csv: written by
# tools/fit_language_rates.py, not by hand. amount_per_s is bytes per second in decode, operations per second in prefill; errors are
# those of models that a fit has not seen, as shares.
"""
_DIGITS = 4


def fits_text() -> str:
    """Return the file's text."""
    fits = [_short(asdict(each)) for each in stage_fits()]
    return HEAD + yaml.safe_dump({"fits": fits}, sort_keys=False, width=120, default_flow_style=None)


def _short(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _short(value) if isinstance(value, Mapping) else _rounded(value) for name, value in content.items()}


def _rounded(value: Any) -> Any:
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


if __name__ == "__main__":
    FITS.write_text(fits_text(), encoding="utf-8")
