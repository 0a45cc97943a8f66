"""Predictions of networks on devices by the fits to public measurements, with bands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.certainty import Certainty
from engines.survey.measurements.fit import Group
from engines.survey.measurements.fits import LEAST_ROWS, GroupFit, PoolFit, builtin_fits, fit_of, known_accelerators
from engines.survey.measurements.microcontrollers import tiny_estimate
from engines.survey.measurements.pools import PoolKey, accelerator, group_of, likely_scale, pool_key
from engines.survey.measurements.rows import MeasuredRow
from engines.survey.measurements.work import zoo_work

_MILLI = 1e-3
LEAST_GROUP_ROWS = 5  # of a calibration that a survey uses
LARGEST_CALIBRATED_BAND = (
    4.0  # an estimate with a wider one is called predicted, although rows of its device were fitted
)


@dataclass(frozen=True)
class Prediction:
    """A time that a fit predicts.

    Attributes:
        seconds: seconds of one inference, or between two results; joules of an energy.
        band: factor up or down that holds for 90 % of networks that the fit has not seen.
        band_of: whose errors the band is from: "device", "family" or "devices without measurements"; of microcontrollers
            "systems" or "systems without measurements".
        certainty: calibrated for a device with a fit whose band is at most `LARGEST_CALIBRATED_BAND`, else predicted.
        words: source in words.
    """

    seconds: float
    band: float
    band_of: str
    certainty: Certainty
    words: str

    @property
    def low_s(self) -> float:
        """The lower end of the band."""
        return self.seconds / self.band

    @property
    def high_s(self) -> float:
        """The upper end of the band."""
        return self.seconds * self.band


def predict_row(row: MeasuredRow) -> Prediction | None:
    """Return the prediction of a row of measurements; None where no family of measured devices has it."""
    if tiny := tiny_estimate(row):
        certainty: Certainty = "calibrated" if tiny.band_of == "systems" else "predicted"
        return Prediction(tiny.value, tiny.band, tiny.band_of, certainty, tiny.words)
    key = pool_key(row)
    if key is None:
        return None
    return predict(key, group_of(row), row.devices, row.unit, zoo_work(row.network, key.bits))


def predict(key: PoolKey, group: Group, boards: tuple[str, ...], unit: str, work: FloatArray) -> Prediction | None:
    """Return the prediction of a network on a device.

    Args:
        key: family, bits, quantity and batch.
        group: device, runtime and precision.
        boards: slugs of the device in the catalogue.
        unit: compute unit, as sources name it.
        work: by kind.
    """
    fit = fit_of(key)
    if fit is None:
        return None
    own = next((each for each in fit.groups if each.group == group), None)
    if own is not None:
        return calibrated(fit, own, work)
    if fit.unknown is None:
        return None
    scale, words = _scale(key, group[0], group[1], boards, unit)
    seconds = float(work @ np.array(fit.profile_ms)) * scale * _MILLI
    found = f"predicted from {len(fit.groups)} fits of the family {key.family}: {words}"
    return Prediction(seconds, fit.unknown.band, "devices without measurements", "predicted", found)


def calibrated(fit: PoolFit, own: GroupFit, work: FloatArray) -> Prediction:
    """Return the prediction of a network on a device with a fit."""
    errors, band_of = (own.errors, "device") if own.errors.rows >= LEAST_ROWS else (fit.errors, "family")
    words = (
        f"{own.precision}, {own.runtime}: {own.errors.rows} public measurements of {own.networks} networks on this device,"
        f" {own.source}"
    )
    certainty: Certainty = "calibrated" if errors.band <= LARGEST_CALIBRATED_BAND else "predicted"
    return Prediction(float(work @ np.array(own.costs_ms)) * _MILLI, errors.band, band_of, certainty, words)


@lru_cache(maxsize=512)
def _scale(key: PoolKey, device: str, runtime: str, boards: tuple[str, ...], unit: str) -> tuple[float, str]:
    """Return the scale of a device without measurements, and what it is from; its own other groups count first."""
    fit = fit_of(key)
    assert fit is not None
    own = {each.group: each.scale for each in fit.groups if each.device == device}
    scales = own or {each.group: each.scale for each in fit.groups}
    return likely_scale(accelerator(boards, unit), runtime, scales, known_accelerators(key))


def board_fits(board: str, bits: str, *, quantised: bool = False) -> tuple[tuple[PoolFit, GroupFit], ...]:
    """Return the calibrations of a board for one inference at a time, best first: by bits, then by error.

    Args:
        board: slug.
        bits: "fp16", "int8", ...; "" for any: fp16 first, or int8 where a file states its weights in few bits.
        quantised: whether it does.
    """
    found = [
        (fit, group)
        for fit in family_fits("", bits, quantised=quantised)
        for group in fit.groups
        if board in group.boards and group.errors.rows >= LEAST_GROUP_ROWS
    ]
    order = {key: place for place, key in enumerate(dict.fromkeys(fit.key for fit, _ in found))}
    return tuple(
        sorted(found, key=lambda pair: (order[pair[0].key], pair[1].errors.rows < LEAST_ROWS, pair[1].errors.median))
    )


def family_fits(family: str, bits: str, *, quantised: bool = False) -> tuple[PoolFit, ...]:
    """Return the calibrations of a family for one inference at a time, best bits first; of all families for "".

    Args:
        family: family of accelerators.
        bits: as of `board_fits`.
        quantised: likewise.
    """
    order = ("int8", "w8a16", "fp16") if quantised else ("fp16", "int8", "w8a16")
    found = [
        fit
        for fit in builtin_fits()
        if fit.key.batch == 1 and family in ("", fit.key.family) and bits in ("", fit.key.bits)
    ]
    return tuple(sorted(found, key=lambda fit: order.index(fit.key.bits)))
