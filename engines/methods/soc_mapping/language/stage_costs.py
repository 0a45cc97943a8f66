"""Time and energy of the stages of a language model on units of a board, at any of their clocks.

Rates are those of the survey of language models: fitted to measurements of the board where there are some, else by its data sheet.
At its highest clocks a unit takes what the survey says. At others what it computes and starts takes longer in proportion to its
clock, and what it reads in proportion to the clock of the memory; such estimates are predicted at best.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engines.contract.certainty import Certainty, weakest
from engines.cost.calibration.defaults import device_defaults
from engines.cost.soc.clocks import MEMORY, ClockSettings
from engines.methods.soc_mapping.language.stage_work import Blocks, ModelStages, Pass, StageName
from engines.survey.language.rates import UnitRates, able_units, board_sheet, fitted_rates, unit_rates
from engines.survey.language.stage_rates import STAGES, Stage
from engines.survey.language.work import StageWork
from hardware.bits import BITS_PER_BYTE, BitWidths, bit_widths
from hardware.soc.model import ActivePower, Soc

_NEEDED_KINDS = frozenset({"gemm", "matmul", "norm", "softmax"})
_PICO, _MICRO, _HZ_PER_MHZ = 1e-12, 1e-6, 1e6
_NO_PEAK = "no published peak and clock in the chosen bits or wider ones"
_NO_BANDWIDTH = "no published bandwidth of the memory"


@dataclass(frozen=True)
class Setting:
    """How one stage runs: unit, bits, and clocks in MHz (None where the board has no table of them)."""

    unit: str
    bits: str
    unit_mhz: float | None
    memory_mhz: float | None


@dataclass(frozen=True)
class StageCost:
    """Time and energy of one stage.

    Attributes:
        seconds: seconds of the whole stage.
        unit_j, memory_j: energy; NaN where the unit's power is not known.
        certainty: certainty of the time.
        source: basis of the rates.
        error_factor: error band of the time; None where it is not known.
    """

    seconds: float
    unit_j: float
    memory_j: float
    certainty: Certainty
    source: str
    error_factor: float | None

    @property
    def energy_j(self) -> float:
        """Energy of unit and memory."""
        return self.unit_j + self.memory_j


class StageCosts:
    """Costs of every stage of a model in every setting that a board has.

    Attributes:
        stages: stages of the model.
        soc: the board.
        missing: unit -> why it runs no stage.
    """

    def __init__(
        self, stages: ModelStages, soc: Soc, clocks: Mapping[str, tuple[float, ...]], bits: tuple[str, ...], mode: str
    ) -> None:
        """Find the units that can run the model.

        Args:
            stages: stages of the model.
            soc: the board.
            clocks: unit or "memory" -> steps in Hz to choose from.
            bits: names of bits to choose from.
            mode: power mode; "" for none.
        """
        self.stages, self.soc, self._mode = stages, soc, mode
        self._clocks = clocks
        self._rates: dict[tuple[str, str], Mapping[Stage, UnitRates]] = {}
        self._costs: dict[tuple[StageName, Setting, float, Blocks | None], StageCost] = {}
        self.missing: dict[str, str] = {}
        fitted = fitted_rates(soc, bit_widths(bits[0]), "decode")
        for name in able_units(soc, mode):
            known = soc.units[name].supported_operations
            if not (fitted and fitted.unit == name) and known is not None and not known >= _NEEDED_KINDS:
                self.missing[name] = f"it does not run {', '.join(sorted(_NEEDED_KINDS - known))} itself"
                continue
            for each in bits:
                rates = _rates_of(soc, name, bit_widths(each))
                if rates:
                    self._rates[name, each] = rates
            if not any(unit == name for unit, _ in self._rates):
                self.missing[name] = _NO_PEAK if soc.memory else _NO_BANDWIDTH

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Units that run stages, accelerators first."""
        return tuple(dict.fromkeys(unit for unit, _ in self._rates))

    @property
    def powerless(self) -> tuple[str, ...]:
        """Units without known power."""
        return tuple(unit for unit in self.units if self._power(unit) is None)

    def rates(self, unit: str, bits: str) -> Mapping[Stage, UnitRates]:
        """Return the rates of a unit in some bits at its highest clocks.

        Raises:
            KeyError: the unit does not run them.
        """
        return self._rates[unit, bits]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Unit and bits that it runs."""
        return tuple(self._rates)

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every setting of one stage; of a unit and bits those of the highest clocks first."""
        found: list[Setting] = []
        for unit, bits in self._rates:
            unit_steps = self._steps_mhz(unit)
            found += [
                Setting(unit, bits, unit_mhz, memory_mhz)
                for unit_mhz in unit_steps
                for memory_mhz in self._steps_mhz(MEMORY)
            ]
        return tuple(found)

    def cost(self, stage: StageName, setting: Setting, cache_bits: float, blocks: Blocks | None = None) -> StageCost:
        """Return the time and energy of a stage, or of some of its blocks, in a setting; bits of the cache affect decode only."""
        key = stage, setting, cache_bits if stage == "decode" else 0.0, blocks
        if key not in self._costs:
            self._costs[key] = self._cost(stage, setting, cache_bits, blocks)
        return self._costs[key]

    def roof(self, setting: Setting) -> tuple[float, float, bool]:
        """Return bytes and operations per second of a setting, and whether its prefill runs every expert."""
        rates = self.rates(setting.unit, setting.bits)
        unit, memory = self._share(setting.unit, setting.unit_mhz), self._share(MEMORY, setting.memory_mhz)
        prefill, decode = rates["prefill"], rates["decode"]
        return decode.rates.amount_per_s * memory, prefill.rates.amount_per_s * unit, prefill.every_expert

    def transfer(self, size_bytes: float) -> tuple[float, float]:
        """Return seconds and joules to write a result and read it on another unit, at the highest clock of the memory."""
        assert self.soc.memory is not None  # rates need one
        highest = self._clocks[MEMORY][-1]
        moved = 2 * size_bytes
        seconds = device_defaults()["handover_us"][0] * _MICRO + moved / self.soc.memory.bandwidth_bytes_per_s(highest)
        return seconds, self._memory_j(moved, seconds, 1.0)

    def cut(self, stage: StageName, first: Setting, rest: Setting) -> tuple[float, float]:
        """Return seconds and joules of a cut of prefill or decode: what its passes hand on, and of decode the word back."""
        if first.unit == rest.unit:
            return 0.0, 0.0
        seconds, joules = self.transfer(self.stages.handed_bytes(stage, bit_widths(first.bits)))
        if stage == "prefill":
            return seconds, joules
        back_s, back_j = self.transfer(0.0)
        tokens = self.stages.params.answer_tokens - 1
        return tokens * (seconds + back_s), tokens * (joules + back_j)

    def prompt_transfer(self, elements: float, cache_bits: float) -> tuple[float, float]:
        """Return seconds and joules to move some keys, values and states of the prompt to another unit; zeros for none."""
        return self.transfer(elements * cache_bits / BITS_PER_BYTE) if elements else (0.0, 0.0)

    def _steps_mhz(self, name: str) -> tuple[float | None, ...]:
        steps = self._clocks.get(name, ())
        return tuple(step / _HZ_PER_MHZ for step in reversed(steps)) or (None,)

    def _cost(self, stage: StageName, setting: Setting, cache_bits: float, blocks: Blocks | None) -> StageCost:
        rates, bits = self.rates(setting.unit, setting.bits), bit_widths(setting.bits)
        unit, memory = self._share(setting.unit, setting.unit_mhz), self._share(MEMORY, setting.memory_mhz)
        if stage == "decode":
            work, tokens = self.stages.decode(bits, cache_bits, blocks), self.stages.params.answer_tokens - 1
            seconds = tokens * _token_s(rates, work, unit, memory)
            moved = tokens * work.read_bytes
            used = [rates["decode"]]
        else:
            every = rates["prefill"].every_expert
            of = self.stages
            once = stage == "prefill"
            passes = (
                [of.prefill(bits, every_expert=every, blocks=blocks)]
                if once
                else of.passes(stage, bits, every_expert=every)
            )
            seconds = sum(_pass_s(rates, each, bits, unit, memory) for each in passes)
            moved = sum(each.tokens * each.moved_bytes for each in passes)
            used = [rates["prefill"], rates["decode"]]
        lower: tuple[Certainty, ...] = ("predicted",) if min(unit, memory) < 1 else ()
        certainty = weakest(*(each.certainty for each in used), *lower)
        power = self._power(setting.unit)
        watts = math.nan if power is None else power.watts(self._share(setting.unit, setting.unit_mhz, cores=False))
        factor = used[0].error_factor if certainty == "calibrated" else None
        return StageCost(
            seconds, watts * seconds, self._memory_j(moved, seconds, memory), certainty, used[0].source, factor
        )

    def _share(self, name: str, mhz: float | None, *, cores: bool = True) -> float:
        """Return a clock over the highest of the board, times the share of cores that the power mode leaves on."""
        if mhz is None:
            share = 1.0
        else:
            table = self.soc.memory if name == MEMORY and self.soc.memory else self.soc.units[name]
            share = mhz * _HZ_PER_MHZ / table.frequencies_hz[-1]
        return share * self.soc.active_share(name, self._mode or None) if cores and name != MEMORY else share

    def _power(self, unit: str) -> ActivePower | None:
        """Return the power of a unit at work; of a board with one unit, what the board is built for."""
        power, board_w = self.soc.units[unit].power, self.soc.design_power_w
        if power is None and len(self.soc.units) == 1 and board_w is not None:
            return ActivePower(board_w, 0.0, 1.0)
        return power

    def _memory_j(self, moved_bytes: float, seconds: float, clock_share: float) -> float:
        """Return the energy of the memory by its own power, else by what a byte takes."""
        memory = self.soc.memory
        if memory is None or memory.power is None:
            return moved_bytes * device_defaults()["memory_energy_pj_per_byte"][0] * _PICO
        load = moved_bytes / (memory.bandwidth_bytes_per_s() * clock_share * seconds) if seconds else 0.0
        return memory.power.watts(clock_share, min(load, 1.0)) * seconds


def _rates_of(soc: Soc, name: str, bits: BitWidths) -> Mapping[Stage, UnitRates] | None:
    """Return the rates of both stages; None where one of them is not known."""
    found: dict[Stage, UnitRates] = {}
    sheet = board_sheet(soc, bits.name)
    for stage in STAGES:
        rates = fitted_rates(soc, bits, stage)
        if rates is None or rates.unit != name:
            rates = unit_rates(soc, name, bits, stage, sheet)
        if rates is None:
            return None
        found[stage] = rates
    return found


def _token_s(rates: Mapping[Stage, UnitRates], work: StageWork, unit: float, memory: float) -> float:
    """Return the time of a token of the answer: starts of maps, and reading or computing, whichever takes longer."""
    decode, prefill = rates["decode"], rates["prefill"]
    read_s = work.read_bytes / decode.rates.amount_per_s
    started_s = decode.rates.seconds_per_token(work.read_bytes, work.matrices, work.state_elements) - read_s
    operations = work.operations * (1 + decode.unpack_operations_per_weight / 2)
    computed_s = operations / (decode.peak_per_s or prefill.peak_per_s or prefill.rates.amount_per_s)
    return started_s / unit + max(read_s / memory, computed_s / unit)


def _pass_s(rates: Mapping[Stage, UnitRates], of: Pass, bits: BitWidths, unit: float, memory: float) -> float:
    """Return the time of a pass over tokens that share one reading of the weights."""
    prefill, work = rates["prefill"], of.work
    unpacked = work.read_bytes / bits.weight_bytes * prefill.unpack_operations_per_weight
    token_s = prefill.rates.seconds_per_token(work.operations + unpacked, work.matrices, work.state_elements)
    moved_s = of.moved_bytes / rates["decode"].rates.amount_per_s
    return of.tokens * max(token_s / unit, moved_s / memory) + work.matrices * prefill.rates.start_s / unit


def searched_clocks(settings: ClockSettings) -> dict[str, tuple[float, ...]]:
    """Return unit or "memory" -> its different steps in Hz, ascending."""
    return {name: tuple(sorted(set(values.tolist()))) for name, values in settings.frequencies_hz.items()}
