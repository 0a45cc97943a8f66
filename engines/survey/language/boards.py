"""A language model on one board: times, memory and energy of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engines.contract.certainty import weakest
from engines.contract.errors import ProblemError
from engines.cost.calibration.defaults import device_defaults
from engines.cost.device_fields import BITS
from engines.cost.memory_capacity import memory_size
from engines.cost.soc.clocks import named_mode
from engines.cost.soc.model import bits_of
from engines.survey.language.rates import UnitRates, able_units, board_sheet, fitted_rates, unit_rates
from engines.survey.language.stage_rates import builtin_fits
from engines.survey.language.survey_result import LanguageRow
from engines.survey.language.work import Conversation, ConversationWork, StageWork
from engines.survey.survey_result import SOCS, SurveyOptions
from hardware.bits import BitWidths, bit_widths
from hardware.soc.model import Soc

USUAL_BITS = "w4a16"
# Of a file in mixed formats the widest of them that is no wider than its mean: it names the rates that the board has.
_FILE_PAIRS = ("w1.58a16", "w2a16", "w3a16", "w4a16", "w5a16", "w6a16", "w8a16", "fp16", "fp32")
PICO = 1e-12
_NO_POWER = "The power of the compute unit is not published, so the energy is unknown."
NO_BANDWIDTH = (
    "No estimate: no language model was measured on this board. Its document lacks the bandwidth of the memory or what the "
    "compute units reach"
)
NO_PEAK = "The time to the first token is unknown: no unit has a published peak in these bits or wider ones."


@dataclass(frozen=True)
class _Timing:
    """Times of a conversation on one unit; `prefill_s` is None where nothing tells it."""

    decode: UnitRates
    token_s: float
    prefill: UnitRates | None = None
    prefill_s: float | None = None

    def latency_s(self, conversation: Conversation) -> float | None:
        """Return the time of prompt and answer: the prompt gives the first token of the answer."""
        return None if self.prefill_s is None else self.prefill_s + (conversation.answer_tokens - 1) * self.token_s


def board_row(name: str, soc: Soc, work: ConversationWork, options: SurveyOptions) -> LanguageRow:
    """Return the estimate of a conversation on a board.

    Args:
        name: name of the document.
        soc: the board.
        work: model and conversation.
        options: bits and power mode.
    """
    bits = _bits(soc, work, options)
    row = _with_memory(LanguageRow(name, soc.title, SOCS, bits.name), soc, work, bits)
    try:
        mode = named_mode(soc, options.power_mode)
    except ProblemError as error:
        reason = f"The power mode must be {error.accepted}. {error.reason}".strip()
        return replace(row, power_mode=options.power_mode, reason=reason)
    row = replace(row, power_mode=mode)
    if row.fits is False:
        return replace(row, reason=_too_large(soc, work, bits, row.largest_context_tokens or 0))
    timings = _timings(soc, work, bits, mode or "")
    if not timings:
        return replace(row, reason=NO_BANDWIDTH)
    best = min(timings, key=lambda each: (each.prefill_s is None, each.latency_s(work.conversation) or each.token_s))
    return _timed(row, soc, work, best, bits)


def _bits(soc: Soc, work: ConversationWork, options: SurveyOptions) -> BitWidths:
    """Return the bits that are asked for, else those of the file, else the board's usual ones."""
    stored = work.model.file_bits
    if options.bits or not stored:
        return bits_of(options.bits or usual_bits(soc))
    pairs = [bit_widths(name) for name in _FILE_PAIRS]
    nearest = max((each for each in pairs if each.weights <= stored), key=lambda each: each.weights, default=pairs[0])
    return replace(nearest, weights=stored)


def usual_bits(soc: Soc) -> str:
    """Return the default precision for estimates of a board: measured ones, 4-bit weights first."""
    measured = [each.bits for each in builtin_fits() if each.board in soc.names]
    return USUAL_BITS if not measured or USUAL_BITS in measured else measured[0]


def _with_memory(row: LanguageRow, soc: Soc, work: ConversationWork, bits: BitWidths) -> LanguageRow:
    need = work.peak_memory_bytes(bits)
    row = replace(row, weight_bytes=int(work.parameters * bits.weight_bytes), peak_memory_bytes=need)
    capacity = capacity_bytes(soc)
    if capacity is None:
        return row
    most = work.largest_context_tokens(bits, capacity)
    return replace(row, fits=need <= capacity, largest_context_tokens=most)


def capacity_bytes(soc: Soc) -> int | None:
    """Return the largest memory that a board is sold with; None where it is not known."""
    chips = [unit.on_chip_memory_bytes for unit in soc.units.values() if unit.kind == "mcu"]
    if not soc.sold_capacities_bytes and soc.memory is None and chips and None not in chips:
        return sum(size or 0 for size in chips)
    return max(soc.sold_capacities_bytes, default=soc.memory.capacity_bytes if soc.memory else None)


def _too_large(soc: Soc, work: ConversationWork, bits: BitWidths, most_tokens: int) -> str:
    """Return by how much a conversation exceeds the memory, and what of it would fit."""
    capacity = capacity_bytes(soc) or 0
    need = work.peak_memory_bytes(bits)
    pairs = (bit_widths(name) for name in BITS if name.startswith("w"))  # formats are the arithmetic of few units
    narrower = [each for each in pairs if each.weights < bits.weights]
    able = [each for each in narrower if work.peak_memory_bytes(each) <= capacity]
    ways = [max(able, key=lambda each: each.weights).name] if able else []
    ways += [f"a context of {most_tokens:,} tokens"] if most_tokens else []
    fitting = f" It fits in {' or in '.join(ways)}." if ways else " It exceeds the memory in all bits and contexts."
    demand = f"{work.model.name} needs {memory_size(need)} of memory in {bits.name}"
    excess = f"{memory_size(need - capacity)} more than the {memory_size(capacity)} of the device"
    return f"Does not fit: {demand}, {excess}.{fitting}"


def _timings(soc: Soc, work: ConversationWork, bits: BitWidths, mode: str) -> Sequence[_Timing]:
    """Return the times by measurements of the board, else on each unit by its data sheet."""
    step = work.decode(bits)
    return [
        _with_prefill(_Timing(decode, _token_s(decode, step, step.operations / 2)), prefill, work, bits)
        for decode, prefill in board_rates(soc, bits, mode)
    ]


def board_rates(soc: Soc, bits: BitWidths, mode: str) -> Sequence[tuple[UnitRates, UnitRates | None]]:
    """Return rates of decode and prefill: those fitted to the board, else those of each unit by its data sheet.

    Args:
        soc: the board.
        bits: bits of weights and activations.
        mode: power mode; "" for the highest clocks.
    """
    measured = fitted_rates(soc, bits, "decode", mode)
    if measured:
        return [(measured, fitted_rates(soc, bits, "prefill", mode))]
    found, sheet = [], board_sheet(soc, bits.name)
    for name in able_units(soc, mode):
        decode = unit_rates(soc, name, bits, "decode", sheet, mode)
        if decode:
            found.append((decode, unit_rates(soc, name, bits, "prefill", sheet, mode)))
    return found


def _token_s(rates: UnitRates, step: StageWork, weights: float) -> float:
    """Return the time of a token of the answer: read or compute, whichever takes longer, and the starts of the maps."""
    seconds = rates.rates.seconds_per_token(step.read_bytes, step.matrices, step.state_elements)
    if rates.peak_per_s is None:
        return seconds
    computed = (step.operations + weights * rates.unpack_operations_per_weight) / rates.peak_per_s
    return seconds + max(0.0, computed - step.read_bytes / rates.rates.amount_per_s)


def _with_prefill(timing: _Timing, rates: UnitRates | None, work: ConversationWork, bits: BitWidths) -> _Timing:
    if rates is None:
        return timing
    prompt, stage = work.conversation.prompt_tokens, work.prefill(bits, every_expert=rates.every_expert)
    unpacked = stage.read_bytes / bits.weight_bytes * rates.unpack_operations_per_weight
    token_s = rates.rates.seconds_per_token(stage.operations + unpacked, stage.matrices, stage.state_elements)
    read_s = stage.read_bytes / timing.decode.rates.amount_per_s
    seconds = prompt * max(token_s, read_s) + stage.matrices * rates.rates.start_s
    return replace(timing, prefill=rates, prefill_s=seconds)


def _timed(row: LanguageRow, soc: Soc, work: ConversationWork, timing: _Timing, bits: BitWidths) -> LanguageRow:
    parts = [each for each in (timing.prefill, timing.decode) if each]
    latency = timing.latency_s(work.conversation)
    watts = unit_power_w(soc, timing.decode.unit, row.power_mode)
    step, conversation = work.decode(bits), work.conversation
    moved_j = step.read_bytes * device_defaults()["memory_energy_pj_per_byte"][0] * PICO
    token_j = None if watts is None else watts * timing.token_s + moved_j
    whole_j = None
    if token_j is not None and watts is not None and timing.prefill_s is not None:
        whole_j = watts * timing.prefill_s + moved_j + (conversation.answer_tokens - 1) * token_j
    reasons = [NO_PEAK if timing.prefill_s is None else "", _NO_POWER if watts is None else ""]
    return replace(
        row,
        time_to_first_token_s=timing.prefill_s,
        decode_tokens_per_s=1 / timing.token_s,
        latency_s=latency,
        energy_per_token_j=token_j,
        energy_j=whole_j,
        conversations_per_charge=conversation.per_charge(whole_j),
        first_load_s=conversation.first_load_s(row.weight_bytes),
        certainty=weakest(*(each.certainty for each in parts)),
        unit=timing.decode.unit,
        prefill_source=timing.prefill.source if timing.prefill else "",
        decode_source=timing.decode.source,
        prefill_error_factor=timing.prefill.error_factor if timing.prefill else None,
        decode_error_factor=timing.decode.error_factor,
        reason=" ".join(filter(None, reasons)),
    )


def unit_power_w(soc: Soc, name: str, mode: str | None) -> float | None:
    """Return the power of a unit at work under a power mode; of a board with one unit, what the board is built for."""
    unit = soc.units.get(name)
    if unit is None:
        return None
    if unit.power is None:
        return soc.design_power_w if len(soc.units) == 1 else None
    steps = soc.steps_hz(name, mode)
    return unit.power.watts(steps[-1] / unit.frequencies_hz[-1] if steps else 1.0)
