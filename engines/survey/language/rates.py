"""Rates of boards: fitted to measurements where there are some, else scaled from them, else from the data sheet.

In order of certainty: a fit to this board in these bits (calibrated); a fit to this board in other bits, its peak scaled by the
published peaks (predicted); shares of published bandwidth and peak that measured boards with a unit of the same kind reach, or the
shares that the data-sheet cost of systems on a chip assumes (data sheet).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median

from engines.contract.certainty import Certainty
from engines.contract.errors import ProblemError
from engines.cost.calibration.datasheet import MEMORY_SHARE, datasheet_estimate
from engines.survey.language.stage_rates import Stage, StageRates, builtin_fits, known_median
from hardware.bits import BitWidths, bit_widths, rate_of
from hardware.calibration.model import SocCalibration
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import ProcessingUnit, Soc

_MICRO = 1e-6


@dataclass(frozen=True)
class UnitRates:
    """How a unit of a board runs a language model.

    Attributes:
        unit: name; "" where the measurements do not say.
        rates: of the stage.
        certainty: of the ladder.
        source: where the rates are from.
        error_factor: error band; None without held-out measurements.
        unpack_operations_per_weight: computed before a packed weight is used, at the rate of `peak_per_s`.
        peak_per_s: operations per second that the unit reaches; None where the rates contain it.
        every_expert: whether prefill runs each expert on the whole prompt.
    """

    unit: str
    rates: StageRates
    certainty: Certainty
    source: str
    error_factor: float | None = None
    unpack_operations_per_weight: float = 0.0
    peak_per_s: float | None = None
    every_expert: bool = True


def fitted_rates(soc: Soc, bits: BitWidths, stage: Stage, mode: str = "") -> UnitRates | None:
    """Return the rates of a board with measurements; None without.

    Args:
        soc: the board.
        bits: of weights and activations.
        stage: prefill or decode.
        mode: power mode; "" for the highest clocks, at which boards are measured.
    """
    own = [each for each in builtin_fits() if each.stage == stage and each.board in soc.names]
    if not own:
        return None
    exact = next((each for each in own if _same_widths(bit_widths(each.bits), bits)), None)
    unit = _fitted_unit(soc)
    clock = _clock_share(soc, unit, stage, mode)
    if exact:
        words = f"{exact.rows} public measurements of {exact.models} models on this board in {exact.bits}"
        certainty: Certainty = "calibrated" if clock == 1 else "predicted"
        return UnitRates(unit, _scaled(exact.rates, clock), certainty, words, exact.error_factor)
    from_bits = min(own, key=lambda each: (abs(bit_widths(each.bits).weights - bits.weights), each.bits))
    ratio = clock * (_peak_ratio(soc, unit, bits, bit_widths(from_bits.bits)) if stage == "prefill" else 1.0)
    words = f"scaled from {from_bits.rows} public measurements of this board in {from_bits.bits}"
    return UnitRates(unit, _scaled(from_bits.rates, ratio), "predicted", words)


def unit_rates(
    soc: Soc, name: str, bits: BitWidths, stage: Stage, sheet: SocCalibration | None, mode: str = ""
) -> UnitRates | None:
    """Return the rates of one unit from its data sheet; None where that tells too little.

    Args:
        soc: the board.
        name: of the unit.
        bits: of weights and activations.
        stage: prefill or decode.
        sheet: of `board_sheet`.
        mode: power mode; "" for the highest clocks.
    """
    unit, clock_hz = soc.units[name], soc.memory_clock_in_mode(mode or None)
    if soc.memory is None or clock_hz is None:
        return None
    bandwidth = soc.memory.bandwidth_bytes_per_s(clock_hz)
    rate = rate_of(unit.operations_per_cycle, bits)
    share = sheet.value(f"{name}.dense_share") if sheet and name in sheet.covered else None
    start_s = sheet.value(f"{name}.launch_us") * _MICRO if sheet and share else None
    peak = soc.peak_in_mode(name, rate.name, mode or None) / unit.count if rate else None
    family = _family(soc.vendor, unit)
    every_expert = unit.kind == "npu"
    if stage == "decode":
        if family is None and start_s is None:
            return None
        reads = family or _Family(MEMORY_SHARE, start_s or 0.0, None, None, None)
        rates = StageRates(bandwidth * reads.bandwidth_share, reads.decode_matrix_s, reads.decode_state_per_s)
        reached = peak * share if peak and share else None
        words = _sheet_words(reads.bandwidth_share, "bandwidth", family, "assumed")
    else:
        if not peak or (family is None and not share):
            return None
        own = family if family and family.peak_share else None
        note = sheet.parameters[f"{name}.dense_share"].note if sheet and share else ""
        reached = peak * (own.peak_share if own and own.peak_share else share or 0.0)
        if not reached:
            return None
        rates = StageRates(reached, 0.0, own.prefill_state_per_s if own else None, start_s or 0.0)
        words = _sheet_words(reached / peak, f"peak of {unit.label or name}", own, note)
    unpack = unit.unpack_operations_per_weight if rate and rate.unpacks else 0.0
    return UnitRates(name, rates, "data sheet", words, None, unpack, reached, every_expert)


@dataclass(frozen=True)
class _Family:
    """Medians of the rates of measured boards with neural accelerators."""

    bandwidth_share: float
    decode_matrix_s: float
    decode_state_per_s: float | None
    peak_share: float | None
    prefill_state_per_s: float | None
    boards: tuple[str, ...] = ()


def _family(vendor: str, unit: ProcessingUnit) -> _Family | None:
    """Return what boards of a vendor reach, or all boards where none of that vendor was measured; None for other units."""
    if unit.kind != "npu":
        return None
    return _family_of(vendor) or _family_of("")


@cache
def _family_of(vendor: str) -> _Family | None:
    shares, peaks, decode, prefill = [], [], [], []
    boards = set()
    for fit in builtin_fits():
        soc = load_soc(builtin_socs()[fit.board], fit.board)
        if vendor not in ("", soc.vendor) or soc.memory is None:
            continue
        boards.add(soc.title)
        if fit.stage == "decode":
            decode.append(fit.rates)
            shares.append(fit.rates.amount_per_s / soc.memory.bandwidth_bytes_per_s())
            continue
        prefill.append(fit.rates)
        unit = _fitted_unit(soc)
        rate = rate_of(soc.units[unit].operations_per_cycle, bit_widths(fit.bits)) if unit else None
        if rate and soc.units[unit].frequencies_hz:
            peaks.append(fit.rates.amount_per_s / soc.peak_in_mode(unit, rate.name))
    if not shares:
        return None
    return _Family(
        median(shares), median(each.matrix_s for each in decode), known_median([each.state_per_s for each in decode]),
        median(peaks) if peaks else None, known_median([each.state_per_s for each in prefill]), tuple(sorted(boards)),
    )  # fmt: skip


def _sheet_words(share: float, of: str, family: _Family | None, otherwise: str) -> str:
    reached = f"as {len(family.boards)} measured boards reach" if family else otherwise
    return f"{100 * share:.0f} % of the published {of}, {reached}"


def board_sheet(soc: Soc, bits: str) -> SocCalibration | None:
    """Return what the data-sheet cost of systems on a chip assumes of the units; None where the document tells too little."""
    try:
        return datasheet_estimate(soc, bits, power_needed=False).calibration
    except ProblemError:
        return None


def _same_widths(one: BitWidths, other: BitWidths) -> bool:
    """Return whether two names mean the same: "int8" and "w8a8"."""
    return (one.weights, one.activations) == (other.weights, other.activations)


def _fitted_unit(soc: Soc) -> str:
    """Return the unit that language models were measured on: the neural accelerator; "" where there is none."""
    return next((name for name, unit in soc.units.items() if unit.kind == "npu"), "")


def _peak_ratio(soc: Soc, unit: str, bits: BitWidths, measured: BitWidths) -> float:
    """Return the published peak in `bits` over that in the measured ones; 1 where either is not published."""
    rates = soc.units[unit].operations_per_cycle if unit else {}
    wanted, known = rate_of(rates, bits), rate_of(rates, measured)
    return wanted.operations_per_cycle / known.operations_per_cycle if wanted and known else 1.0


def _clock_share(soc: Soc, unit: str, stage: Stage, mode: str) -> float:
    """Return the clock that counts in a stage under a power mode, as a share of the highest."""
    if not mode:
        return 1.0
    if stage == "decode":
        clock = soc.memory_clock_in_mode(mode)
        return clock / soc.memory.frequencies_hz[-1] if soc.memory and clock else 1.0
    steps = soc.steps_hz(unit, mode) if unit else ()
    return steps[-1] / soc.units[unit].frequencies_hz[-1] * soc.active_share(unit, mode) if steps else 1.0


def _scaled(rates: StageRates, ratio: float) -> StageRates:
    return replace(rates, amount_per_s=rates.amount_per_s * ratio)


def able_units(soc: Soc, mode: str = "") -> Sequence[str]:
    """Return the units that a power mode leaves on, accelerators first."""
    order: Mapping[str, int] = {"npu": 0, "gpu": 1, "dsp": 2, "cpu": 3, "mcu": 4}
    names = [name for name in soc.units if soc.active_share(name, mode or None) > 0]
    return sorted(names, key=lambda name: order.get(soc.units[name].kind, len(order)))
