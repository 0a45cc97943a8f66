"""Rates of boards: fitted to measurements where there are some, else scaled from them, else from the data sheet.

In order of certainty: a fit to this board in these bits (calibrated); a fit to this board in other bits, its peak scaled by the
published peaks (predicted); shares of published bandwidth and peak that measured boards with a unit of the same kind reach, or the
shares that the data-sheet cost of systems on a chip assumes (data sheet).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median

from engines.contract.certainty import Certainty
from engines.contract.errors import ProblemError
from engines.cost.calibration.datasheet import MEMORY_SHARE, datasheet_estimate
from engines.survey.language.stage_rates import Stage, StageRates, builtin_fits, known_median
from hardware.bits import BITS_PER_BYTE, BitWidths, Rate, bit_widths, rate_of
from hardware.calibration.model import SocCalibration
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import ProcessingUnit, Soc

_MICRO = 1e-6
# Highest rate of a pin by the standards JESD79-3, JESD79-4, JESD209-3, JESD209-4, JESD209-4-1 and JESD209-5. Boards may be slower.
TRANSFERS_PER_S = {
    "DDR3": 1.6e9, "LPDDR3": 1.6e9, "DDR4": 3.2e9, "LPDDR4": 3.2e9, "LPDDR4X": 4.266e9, "LPDDR5": 6.4e9, "LPDDR5X": 8.533e9,
}  # fmt: skip
_MEMORY_TYPE = re.compile(r"(?:LP)?DDR\dX?")


@dataclass(frozen=True)
class UnitRates:
    """How a unit of a board runs a language model.

    Attributes:
        unit: name; "" where the measurements do not say.
        rates: rates of the stage.
        certainty: certainty of the ladder.
        source: source of the rates.
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
        bits: bits of weights and activations.
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
    """Return the rates of one unit from its data sheet; None if the sheet lacks required values.

    Args:
        soc: the board.
        name: name of the unit.
        bits: bits of weights and activations.
        stage: prefill or decode.
        sheet: of `board_sheet`.
        mode: power mode; "" for the highest clocks.
    """
    unit, rate = soc.units[name], _rate(soc.units[name], bits)
    covered = sheet if sheet and name in sheet.covered else None
    peak = soc.peak_in_mode(name, rate.name, mode or None) / unit.count if rate else None
    found = _decode_rates if stage == "decode" else _prefill_rates
    rates = found(soc, unit, covered, peak, mode)
    unpack = unit.unpack_operations_per_weight if rate and rate.unpacks else 0.0
    return None if rates is None else replace(rates, unpack_operations_per_weight=unpack)


def _decode_rates(
    soc: Soc, unit: ProcessingUnit, sheet: SocCalibration | None, peak: float | None, mode: str
) -> UnitRates | None:
    family, memory = _family(soc.vendor, unit), memory_bandwidth(soc, mode)
    if memory is None or (family is None and sheet is None):
        return None
    share = family.bandwidth_share if family else MEMORY_SHARE
    if family:
        rates = replace(family.decode, amount_per_s=memory.bytes_per_s * share)
    else:
        rates = StageRates(
            memory.bytes_per_s * share, sheet.value(f"{unit.name}.launch_us") * _MICRO if sheet else 0.0, None
        )
    reached = peak * sheet.value(f"{unit.name}.dense_share") if peak and sheet else None
    words = _sheet_words(share, memory.words, family, "assumed")
    certainty: Certainty = "assumed" if memory.assumed else "data sheet"
    return UnitRates(unit.name, rates, certainty, words, peak_per_s=reached, every_expert=unit.kind == "npu")


def _prefill_rates(
    soc: Soc, unit: ProcessingUnit, sheet: SocCalibration | None, peak: float | None, mode: str
) -> UnitRates | None:
    family, named = _family(soc.vendor, unit), unit.label or unit.name
    if family and family.vendor and not (peak and family.peak_share):
        words = f"median of {len(family.boards)} measured boards of {soc.vendor}, as peaks are not published"
        return UnitRates(unit.name, family.prefill, "assumed", words)
    if family and peak and family.peak_share:
        rates = replace(family.prefill, amount_per_s=peak * family.peak_share)
        return UnitRates(
            unit.name, rates, "data sheet", _sheet_words(family.peak_share, f"published peak of {named}", family, "")
        )
    if not peak or not sheet:
        return None
    share = sheet.parameters[f"{unit.name}.dense_share"]
    start_s = sheet.value(f"{unit.name}.launch_us") * _MICRO
    words = _sheet_words(share.value, f"published peak of {named}", None, share.note)
    reached = peak * share.value
    rates = StageRates(reached, 0.0, None, start_s)
    return UnitRates(unit.name, rates, "data sheet", words, peak_per_s=reached, every_expert=unit.kind == "npu")


@dataclass(frozen=True)
class MemoryBandwidth:
    """The bandwidth of a board's memory: published, or assumed from its type and width."""

    bytes_per_s: float
    assumed: bool

    @property
    def words(self) -> str:
        """Return the memory bandwidth as text."""
        return "bandwidth that is assumed from type and width of the memory" if self.assumed else "published bandwidth"


def _rate(unit: ProcessingUnit, bits: BitWidths) -> Rate | None:
    """Return the rate of a unit for the bits; a neural accelerator uses at least 8 bits, for which vendors publish the peak.

    RK3576 has no published peak but that of int8, and reaches nearly the same share of it in w4a16 as in w8a8.
    """
    found = rate_of(unit.operations_per_cycle, bits)
    return found or (rate_of(unit.operations_per_cycle, bit_widths("int8")) if unit.kind == "npu" else None)


def memory_bandwidth(soc: Soc, mode: str = "") -> MemoryBandwidth | None:
    """Return the bandwidth under a power mode; None where neither it nor type and width of the memory are published."""
    clock_hz = soc.memory_clock_in_mode(mode or None)
    if soc.memory is not None and clock_hz is not None:
        return MemoryBandwidth(soc.memory.bandwidth_bytes_per_s(clock_hz), assumed=False)
    named = [TRANSFERS_PER_S[each] for each in _MEMORY_TYPE.findall(soc.memory_type) if each in TRANSFERS_PER_S]
    if not named or not soc.bus_bits:
        return None
    return MemoryBandwidth(min(named) * soc.bus_bits / BITS_PER_BYTE, assumed=True)


@dataclass(frozen=True)
class _Family:
    """Medians of the rates of measured boards with neural accelerators.

    Attributes:
        vendor: vendor of the boards; "" for all.
        bandwidth_share: reached share of the published bandwidth.
        decode, prefill: rates, with their own amounts.
        peak_share: reached share of the published peak; None without a published peak.
        boards: titles.
    """

    vendor: str
    bandwidth_share: float
    decode: StageRates
    prefill: StageRates
    peak_share: float | None
    boards: tuple[str, ...]


def _family(vendor: str, unit: ProcessingUnit) -> _Family | None:
    """Return the measured rates of a vendor's boards, or of all boards if none of the vendor was measured; None for other units."""
    if unit.kind != "npu":
        return None
    return _family_of(vendor) or _family_of("")


@cache
def _family_of(vendor: str) -> _Family | None:
    shares, peaks, decode, prefill = [], [], [], []
    boards = set()
    for fit in builtin_fits():
        soc = _measured_board(fit.board)
        if vendor not in ("", soc.vendor):
            continue
        if fit.stage == "decode" and soc.memory is not None:
            boards.add(soc.title)
            decode.append(fit.rates)
            shares.append(fit.rates.amount_per_s / soc.memory.bandwidth_bytes_per_s())
        unit = soc.units[_fitted_unit(soc)]
        rate = _rate(unit, bit_widths(fit.bits))
        if fit.stage == "prefill":
            prefill.append(fit.rates)
            if rate and unit.frequencies_hz:
                peaks.append(fit.rates.amount_per_s / soc.peak_in_mode(unit.name, rate.name))
    if not shares:
        return None
    titles, peak_share = tuple(sorted(boards)), median(peaks) if peaks else None
    return _Family(vendor, median(shares), _median_rates(decode), _median_rates(prefill), peak_share, titles)


@cache
def _measured_board(slug: str) -> Soc:
    return load_soc(builtin_socs()[slug], slug)


def _median_rates(rates: Sequence[StageRates]) -> StageRates:
    state_per_s = known_median([each.state_per_s for each in rates])
    return StageRates(median(each.amount_per_s for each in rates), median(each.matrix_s for each in rates), state_per_s)


def _sheet_words(share: float, of: str, family: _Family | None, otherwise: str) -> str:
    reached = f"as {len(family.boards)} measured boards reach" if family else otherwise
    return f"{100 * share:.0f} % of the {of}, {reached}"


def board_sheet(soc: Soc, bits: str) -> SocCalibration | None:
    """Return the unit rates of the data-sheet estimate; None if the document lacks values."""
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
