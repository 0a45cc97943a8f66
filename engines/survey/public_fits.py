"""A network on a board by the fits to public measurements: of the board itself, else of others with accelerators of its family."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist

from engines.cost.soc.model import bits_of
from engines.survey.measurements.pools import PoolKey, family_of_boards
from engines.survey.measurements.prediction import Prediction, board_fits, calibrated, family_fits, predict
from engines.survey.measurements.work import network_work
from engines.survey.survey_result import DeviceEstimate, DeviceMapping, SurveyOptions, SurveyRow
from engines.workloads.network import Network
from hardware.bits import bit_widths
from hardware.soc.loader import builtin_socs
from hardware.soc.model import Soc

_NO_ENERGY = "The public measurements of this board have no energy."
_INTERVAL = "Interval between two results: the source has throughputs."
_LIKELY = 0.8  # least probability of the order of two devices, below which they cannot be told apart
_HELD_DEVIATIONS = NormalDist().inv_cdf(0.95)  # of a band that holds 90 %


def fitted_estimate(soc: Soc, network: Network, options: SurveyOptions) -> DeviceEstimate | None:
    """Return the estimate of a board by public measurements; None where none of its family has the bits, or with a power mode.

    Args:
        soc: a board that ships with the product; copies of it may differ.
        network: one sample of it.
        options: bits and power mode.
    """
    if options.power_mode or soc.slug not in builtin_socs() or not network.operations:
        return None
    bits = bits_of(options.bits).name if options.bits else ""
    bits = {"w8a8": "int8"}.get(bits, bits)
    if own := board_fits(soc.slug, bits, quantised=bool(network.weight_bits)):
        fit, group = own[0]
        key, runtime = fit.key, group.runtime
        found = calibrated(fit, group, network_work(network, bit_widths(key.bits)))
        return _estimate(found, key, runtime)
    family = family_of_boards((soc.slug,))
    if not family or all(unit.kind != "npu" for unit in soc.units.values()):
        return None
    for fit in family_fits(family, bits, quantised=bool(network.weight_bits)):
        work = network_work(network, bit_widths(fit.key.bits))
        prediction = predict(fit.key, (soc.slug, "", ""), (soc.slug,), "NPU", work)
        if prediction:
            return _estimate(prediction, fit.key, "")
    return None


def _estimate(found: Prediction, key: PoolKey, runtime: str) -> DeviceEstimate:
    words = "NPU alone" + (f", {runtime}" if runtime else "")
    best = DeviceMapping(found.seconds, None, words)
    return DeviceEstimate(
        best, best, (), False, "calibration", found.words, found.band,
        note=_INTERVAL if key.quantity == "throughput" else "", certainty=found.certainty, bits=key.bits,
        band=f"holds 90 % of networks that the fit has not seen, by the errors of the {found.band_of}",
        energy_reason=_NO_ENERGY,
    )  # fmt: skip


def indistinct(devices: Sequence[SurveyRow]) -> tuple[tuple[str, str], ...]:
    """Return titles of devices next to each other in latency whose bands overlap so widely that either may be the faster."""
    known = [
        (each.priced.best.latency_s, math.log(each.priced.latency_factor), each.title)
        for each in devices
        if each.priced and each.priced.latency_factor
    ]
    known.sort()
    return tuple((one[2], other[2]) for one, other in pairwise(known) if _order_probability(one, other) < _LIKELY)


def _order_probability(one: tuple[float, float, str], other: tuple[float, float, str]) -> float:
    """Return the probability that the first is the faster, for errors that are independent and normal in logarithms."""
    deviation = math.hypot(one[1], other[1]) / _HELD_DEVIATIONS
    distance = math.log(other[0] / one[0])
    return NormalDist().cdf(distance / deviation) if deviation else 1.0
