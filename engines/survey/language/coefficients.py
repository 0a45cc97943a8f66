"""Times, energy and memory of conversations as piecewise polynomials of prompt and answer, which a page evaluates itself.

A ramp is `constant + sum(slope * min(tokens, window))`: attention sees its window at most. With prompt P, answer D and the mean
context C = P + (D + 1) // 2 of `Conversation`, the equations of `engines.survey.language.boards` become

    time to first token = start_s + max(unpack_s + P * token(P), least_s)
    time of a token = rest_s + max(read(C), compute(C))
    peak memory = weight_bytes + fixed_bytes + prompt_bytes * P + cache(P + D)

where token, read, compute and cache are ramps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engines.contract.certainty import Certainty, weakest
from engines.cost.calibration.defaults import device_defaults
from engines.cost.soc.model import bits_of
from engines.survey.language.boards import (
    NO_BANDWIDTH,
    NO_PEAK,
    PICO,
    board_rates,
    capacity_bytes,
    unit_power_w,
    usual_bits,
)
from engines.survey.language.layer_work import LayerWork, layer_work
from engines.survey.language.ramps import Ramp, slopes
from engines.survey.language.rates import UnitRates
from engines.survey.language.work import (
    MOST_TOKENS,
    Conversation,
    ConversationWork,
    decode_work,
    decoder_of,
    prefill_work,
)
from engines.survey.survey_result import SurveyOptions
from engines.workloads.language.model import LanguageModel
from hardware.bits import BITS_PER_BYTE, BitWidths, bit_widths, rate_of
from hardware.soc.model import Soc

COMPARED_BITS = ("w16a16", "w8a8", "w4a16", "w4a16-g128")
_OPERATIONS_PER_MAC = 2


@dataclass(frozen=True)
class PrefillCoefficients:
    """The time to the first token: `start_s + max(unpack_s + P * token_s(P), least_s)`.

    Attributes:
        start_s: to start the maps.
        unpack_s: to unpack all weights.
        token_s: time of one token by prompt, in seconds.
        least_s: to read all weights.
    """

    start_s: float
    unpack_s: float
    token_s: Ramp
    least_s: float


@dataclass(frozen=True)
class UnitCoefficients:
    """A conversation on one unit of a board.

    Attributes:
        unit: name; "" where measurements do not say.
        certainty: certainty of the less sure stage.
        prefill: None where nothing tells its time.
        rest_s: rest in seconds of a token of the answer, apart from reading and computing.
        read_s: to read weights and cache by context, in seconds.
        compute_s: to compute a token by context, in seconds.
        power_w: power in watts of the unit at work; None where it is not published.
        memory_power_w: power of the memory while it is read.
        every_expert: whether prefill runs each expert on the whole prompt.
        reached: bytes and operations per second that the estimate assumes; None where it is not known.
        published: the same by the data sheet, at the highest clocks of the power mode.
    """

    unit: str
    certainty: Certainty
    prefill: PrefillCoefficients | None
    rest_s: float
    read_s: Ramp
    compute_s: Ramp
    power_w: float | None
    memory_power_w: float
    every_expert: bool
    reached: tuple[float, float | None]
    published: tuple[float | None, float | None]


@dataclass(frozen=True)
class MemoryCoefficients:
    """Memory of a conversation in some bits.

    Attributes:
        weight_bytes: size of all weights.
        fixed_bytes: states of fixed size and scores of words.
        prompt_bytes: results of a layer, per token of the prompt.
        cache_bytes: keys and values by tokens of prompt and answer.
    """

    weight_bytes: float
    fixed_bytes: float
    prompt_bytes: float
    cache_bytes: Ramp


@dataclass(frozen=True)
class BoardCoefficients:
    """A board in the bits that it is surveyed in and in those that are compared.

    Attributes:
        title: title of the board.
        bits: bits of the survey.
        capacity_bytes: capacity in bytes of its largest memory; None where it is not known.
        units: bits -> units that run the model in them.
        reasons: bits -> why a metric is missing; "" where nothing is.
    """

    title: str
    bits: str
    capacity_bytes: int | None
    units: Mapping[str, tuple[UnitCoefficients, ...]]
    reasons: Mapping[str, str]


@dataclass(frozen=True)
class ConversationCoefficients:
    """A language model on all boards, for any prompt and answer.

    Attributes:
        longest_tokens: context length of the model, or the largest number in a survey.
        context_tokens: context length of the model; 0 if its configuration does not state it.
        memory: bits -> memory.
        layers: bits -> kinds of layers of prefill and decode.
        boards: name of the document -> board.
    """

    longest_tokens: int
    context_tokens: int
    memory: Mapping[str, MemoryCoefficients]
    layers: Mapping[str, tuple[LayerWork, ...]]
    boards: Mapping[str, BoardCoefficients]


def conversation_coefficients(
    model: LanguageModel,
    boards: Sequence[tuple[str, Soc]],
    cache_bits: float = 16.0,
    options: SurveyOptions = SurveyOptions(),  # noqa: B008, it is frozen
) -> ConversationCoefficients:
    """Return the coefficients of every board that has the power mode.

    Args:
        model: network that runs.
        boards: names and boards.
        cache_bits: cache bits of an element of keys and values.
        options: bits and power mode.

    Raises:
        ProblemError: the model writes no words, or bits that nobody knows.
    """
    found: dict[str, BoardCoefficients] = {}
    memory: dict[str, MemoryCoefficients] = {}
    for name, soc in boards:
        mode = soc.mode_named(options.power_mode)
        if mode and mode not in soc.power_modes:
            continue
        own = bits_of(options.bits or usual_bits(soc)).name
        widths = {each: bit_widths(each) for each in dict.fromkeys((own, *COMPARED_BITS))}
        units = {each: _units(model, soc, bits, cache_bits, mode) for each, bits in widths.items()}
        memory |= {each: _memory(model, bits, cache_bits) for each, bits in widths.items() if each not in memory}
        reasons = {each: _reason(of) for each, of in units.items()}
        found[name] = BoardCoefficients(soc.title, own, capacity_bytes(soc), units, reasons)
    layers = {each: layer_work(model, bit_widths(each), cache_bits) for each in memory}
    return ConversationCoefficients(model.context_tokens or MOST_TOKENS, model.context_tokens, memory, layers, found)


def _reason(units: Sequence[UnitCoefficients]) -> str:
    if not units:
        return NO_BANDWIDTH
    return "" if any(each.prefill for each in units) else NO_PEAK


def _units(
    model: LanguageModel, soc: Soc, bits: BitWidths, cache_bits: float, mode: str
) -> tuple[UnitCoefficients, ...]:
    return tuple(
        replace(
            _unit(model, decode, prefill, bits, cache_bits, unit_power_w(soc, decode.unit, mode or None)),
            published=_published(soc, decode.unit, bits, mode),
        )
        for decode, prefill in board_rates(soc, bits, mode)
    )


def _unit(
    model: LanguageModel,
    decode: UnitRates,
    prefill: UnitRates | None,
    bits: BitWidths,
    cache_bits: float,
    power_w: float | None,
) -> UnitCoefficients:
    first, rates, mixers = decode_work(model, bits, 0, cache_bits), decode.rates, tuple(decoder_of(model).mixers)
    bytes_per_element = cache_bits / BITS_PER_BYTE
    read = Ramp(first.read_bytes, slopes(mixers, lambda each: each.read_elements_per_token * bytes_per_element))
    compute = Ramp(0.0)
    if decode.peak_per_s is not None:
        # A weight is unpacked per multiply-accumulate, as in `boards`.
        share = (1 + decode.unpack_operations_per_weight / _OPERATIONS_PER_MAC) / decode.peak_per_s
        pairs = slopes(mixers, lambda each: _OPERATIONS_PER_MAC * each.macs_per_pair)
        compute = Ramp(first.operations, pairs).scaled(share)
    return UnitCoefficients(
        decode.unit,
        weakest(*(each.certainty for each in (prefill, decode) if each)),
        _prefill(model, prefill, decode, bits) if prefill else None,
        rates.seconds_per_token(0.0, first.matrices, first.state_elements),
        read.scaled(1 / rates.amount_per_s),
        compute,
        power_w,
        rates.amount_per_s * device_defaults()["memory_energy_pj_per_byte"][0] * PICO,
        bool(prefill and prefill.every_expert),
        (rates.amount_per_s, prefill.rates.amount_per_s if prefill else decode.peak_per_s),
        (None, None),
    )


def _published(soc: Soc, name: str, bits: BitWidths, mode: str) -> tuple[float | None, float | None]:
    """Return bytes per second of the memory and operations per second of a unit by the data sheet, None where it lacks them."""
    clock_hz, unit = soc.memory_clock_in_mode(mode or None), soc.units.get(name)
    rate = rate_of(unit.operations_per_cycle, bits) if unit else None
    bandwidth = soc.memory.bandwidth_bytes_per_s(clock_hz) if soc.memory and clock_hz else None
    return bandwidth, soc.peak_in_mode(name, rate.name, mode or None) if rate else None


def _prefill(model: LanguageModel, prefill: UnitRates, decode: UnitRates, bits: BitWidths) -> PrefillCoefficients:
    # A prompt of one token reads the weights of every prompt; what its token sees of itself goes into the slopes.
    work, rates = prefill_work(model, bits, 1, every_expert=prefill.every_expert), prefill.rates
    pairs = slopes(decoder_of(model).mixers, lambda each: _OPERATIONS_PER_MAC * each.macs_per_pair)
    operations = Ramp(work.operations - sum(slope for _, slope in pairs), pairs)
    token = operations.scaled(1 / rates.amount_per_s)
    rest_s = rates.seconds_per_token(0.0, work.matrices, work.state_elements)
    unpacked = work.read_bytes / bits.weight_bytes * prefill.unpack_operations_per_weight
    return PrefillCoefficients(
        work.matrices * rates.start_s,
        unpacked / rates.amount_per_s,
        replace(token, constant=token.constant + rest_s),
        work.read_bytes / decode.rates.amount_per_s,
    )


def _memory(model: LanguageModel, bits: BitWidths, cache_bits: float) -> MemoryCoefficients:
    work, bytes_per_element = ConversationWork(model, Conversation(1, 1, cache_bits)), cache_bits / BITS_PER_BYTE
    mixers = (each for stage in model.stages for each in stage.mixers)
    grown = slopes(mixers, lambda each: each.cache_elements_per_token * bytes_per_element)
    return MemoryCoefficients(
        work.parameters * bits.weight_bytes,
        model.state_bytes(cache_bits) + work.score_bytes,
        work.prompt_result_bytes(bits),
        Ramp(model.cache_bytes(0, cache_bits), grown),
    )
