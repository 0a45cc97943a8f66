"""Rates of boards in the two stages of a language model, and the fits that ship with the product.

A token takes `amount / amount_per_s + matrices * matrix_s + state / state_per_s`: in decode the amount is bytes read, so that the
first rate is the effective bandwidth and `matrix_s` the time to start a map; in prefill it is operations, so that the first rate is
the effective peak and `matrix_s` what a map costs per token. `state_per_s` is elements of recurrent states updated per second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Any, Literal

import yaml

Stage = Literal["prefill", "decode"]
STAGES: tuple[Stage, ...] = ("prefill", "decode")
FITS = Path(__file__).parent / "fits.yaml"


@dataclass(frozen=True)
class StageRates:
    """How fast a board works in one stage.

    Attributes:
        amount_per_s: bytes per second in decode, operations per second in prefill.
        matrix_s: per map and token.
        state_per_s: elements of states per second; None where no recurrence was measured.
        start_s: per map and pass, whatever its tokens.
    """

    amount_per_s: float
    matrix_s: float
    state_per_s: float | None
    start_s: float = 0.0

    def seconds_per_token(self, amount: float, matrices: float, state: float) -> float:
        """Return the time of one token; without `start_s`."""
        recurrent = state / self.state_per_s if self.state_per_s else 0.0
        return amount / self.amount_per_s + matrices * self.matrix_s + recurrent


@dataclass(frozen=True)
class StageFit:
    """A fit to the measurements of one board in one precision.

    Attributes:
        board, bits, stage: measured board, bits and stage.
        rates: rates of all rows.
        models: of different shape.
        rows: measurements.
        error_median, error_worst: of measured over predicted values of models left out, as shares.
        error_factor: holds for 90 % of the models left out; None with too few.
    """

    board: str
    bits: str
    stage: Stage
    rates: StageRates
    models: int
    rows: int
    error_median: float
    error_worst: float
    error_factor: float | None


@cache
def builtin_fits() -> tuple[StageFit, ...]:
    """Return the fits that ship with the product; read once per process."""
    content: dict[str, Any] = yaml.safe_load(FITS.read_text(encoding="utf-8"))
    return tuple(StageFit(**{**entry, "rates": StageRates(**entry["rates"])}) for entry in content["fits"])


def known_median(rates: Sequence[float | None]) -> float | None:
    """Return the median of the rates that are known and finite; None without."""
    known = [each for each in rates if each and isfinite(each)]
    return median(known) if known else None
