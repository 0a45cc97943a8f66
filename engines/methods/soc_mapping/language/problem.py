"""A language model on a board, ready to be mapped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.certainty import LADDER, Certainty
from engines.contract.designs import Decision
from engines.contract.engine import Bound, Context, Plan, PlanCheck, Problem
from engines.contract.errors import DecisionError
from engines.contract.estimates import around
from engines.contract.limits import Allowed
from engines.contract.results import Note, Result
from engines.cost.memory_capacity import memory_size, within_capacity
from engines.cost.soc.clocks import clock_names, named_mode
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.settings import searched_settings
from engines.methods.soc_mapping.language.choices import bit_choices
from engines.methods.soc_mapping.language.cuts import Cut, LanguageDesign, Part, transfers
from engines.methods.soc_mapping.language.explain import explain_design, rates_table
from engines.methods.soc_mapping.language.front import (
    DesignSpace,
    ExactStages,
    KeptDesigns,
    kept_designs,
)
from engines.methods.soc_mapping.language.params import LanguageMappingParams
from engines.methods.soc_mapping.language.quantities import MEMORY
from engines.methods.soc_mapping.language.requirements import (
    language_model_of,
    powerless_sentence,
    require_context,
    require_memory,
    require_power,
    require_units,
)
from engines.methods.soc_mapping.language.stage_costs import Setting, StageCost, StageCosts, searched_clocks
from engines.methods.soc_mapping.language.stage_work import TITLES, ModelStages
from engines.search.prepared_problem import PreparedProblem
from engines.search.strategies import Columns
from engines.survey.language.boards import capacity_bytes
from hardware.bits import bit_widths
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

_BATCH = 32
_START_S, _DESIGN_S, _COMPARED_S = 0.5, 1e-4, 5e-5
_PARTS = {"units": "unit", "bits": "bits", "unit_mhz": "unit_mhz", "memory_mhz": "memory_mhz"}


class PreparedLanguageModel(PreparedProblem[LanguageMappingParams, LanguageDesign, Context]):
    """Stages of a model, each with a unit, clocks and bits to choose."""

    def __init__(self, problem: Problem[LanguageMappingParams]) -> None:
        """Refuse networks without a configuration, boards that run no stage or are too small, bits and qualities that are none."""
        params = self.params = problem.params
        self.soc = problem.value("hardware", Soc)
        self.stages = ModelStages(language_model_of(problem), params)
        require_context(self.stages)
        self.choices = bit_choices(params)
        options = MappingOptions(clocks=params.clocks, power_mode=params.power_mode, clock_steps=params.clock_steps)
        clocks = searched_clocks(searched_settings(self.soc, None, options)) if clock_names(self.soc) else {}
        self.costs = StageCosts(
            self.stages, self.soc, clocks, self.choices.bits, named_mode(self.soc, params.power_mode) or ""
        )
        require_units(self.costs)
        require_power(self.costs)
        require_memory(self.costs, self.choices)

    def decode(self, decision: Decision) -> LanguageDesign:
        """Return the design of a decision; of stages whose clocks are left out the highest ones."""
        cache: Any = decision.get("cache_bits")
        _require_one("cache_bits", cache, self.choices.cache_bits)
        cuts = []
        for stage in ("prefill", "decode"):
            blocks = _entry(decision, "blocks", stage)
            if blocks is not None:
                field, most = f"decision.blocks.{stage}", self.stages.blocks - 1
                if isinstance(blocks, bool) or not isinstance(blocks, int) or not 1 <= blocks <= most:
                    raise DecisionError(field, blocks, f"a whole number of blocks from 1 to {most}")
                bits = _entry(decision, "bits", stage)
                cuts.append(Cut(stage, blocks, self._setting(decision, f"{stage}_rest", {"bits": bits})))
                if (_entry(decision, "units", stage), bits) == (cuts[-1].setting.unit, cuts[-1].setting.bits):
                    raise DecisionError(
                        f"decision.units.{stage}_rest", cuts[-1].setting.unit, "a unit other than before the cut"
                    )
        settings = tuple(self._setting(decision, name, {}) for name in self.stages.names)
        return LanguageDesign(settings, float(cache), tuple(cuts))

    def _setting(self, decision: Decision, name: str, known: Mapping[str, Any]) -> Setting:
        given = {field: _entry(decision, part, name) for part, field in _PARTS.items()}
        given.update(known)
        able = [each for each in self.costs.settings if given["unit"] == each.unit]
        _require_one(f"units.{name}", given["unit"], self.costs.units)
        _require_one(f"bits.{name}", given["bits"], tuple(dict.fromkeys(each.bits for each in able)))
        able = [each for each in able if each.bits == given["bits"]]
        for part, field in (("unit_mhz", "unit_mhz"), ("memory_mhz", "memory_mhz")):
            steps = tuple(dict.fromkeys(getattr(each, field) for each in able))
            given[field] = steps[0] if given[field] is None else given[field]
            _require_one(f"{part}.{name}", given[field], steps)
        return Setting(**given)

    def encode(self, design: LanguageDesign) -> dict[str, Any]:
        """Return unit, bits and clocks of each stage, and the blocks before each cut."""
        found: dict[str, Any] = {"blocks": {each.stage: each.blocks for each in design.cuts}}
        parts = design.parts(self.costs)
        for name, field in _PARTS.items():
            of = {each.name: getattr(each.setting, field) for each in parts if name != "bits" or not each.rest}
            found[name] = {stage: value for stage, value in of.items() if value is not None}
        return {**{part: of for part, of in found.items() if of}, "cache_bits": design.cache_bits}

    @cached_property
    def space(self) -> DesignSpace:
        """The designs to choose from."""
        capacity = capacity_bytes(self.soc)
        return DesignSpace(
            self.costs, self.choices.cache_bits, self.params.copies,
            lambda design: capacity is None or self.memory_bytes(design) <= capacity,
            self.params.granularity == "blocks" and self.stages.blocks > 1,
        )  # fmt: skip

    @cached_property
    def kept(self) -> KeptDesigns:
        """The designs that a run keeps, with all of the front."""
        return kept_designs(self.space, self.columns)

    def strategy(self) -> ExactStages:
        """Return the designs that the exact search keeps."""
        return ExactStages(self.kept, _BATCH, None, self.space.size, self.kept.compared, self.space.cut)

    def baselines(self) -> Mapping[str, LanguageDesign]:
        """Return the whole model on each unit at the highest clocks, in the first bits that it runs."""
        found: dict[str, Setting] = {}
        for each in self.costs.settings:
            found.setdefault(each.unit, each)
        return {
            f"{unit_title(unit)} alone, {each.bits}": LanguageDesign(
                (each,) * len(self.stages.names), self.choices.cache_bits[0]
            )
            for unit, each in sorted(found.items())
        }

    def columns(self, designs: Sequence[LanguageDesign]) -> Columns:
        """Return the columns of designs."""
        rows = [self._row(each) for each in designs]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def evaluate(self, designs: Sequence[LanguageDesign], context: Context) -> Columns:
        """Return the columns of designs."""
        return self.columns(designs)

    def memory_bytes(self, design: LanguageDesign) -> float:
        """Return the memory of a design."""
        return sum(self.memory_parts(design).values())

    def memory_parts(self, design: LanguageDesign) -> Mapping[str, float]:
        """Return the memory of a design by content."""
        bits = tuple(each.bits for each in design.settings)
        key = bits, design.cache_bits
        if key not in self._memory:
            widths = {name: bit_widths(each) for name, each in zip(self.stages.names, bits, strict=True)}
            self._memory[key] = self.stages.memory_bytes(widths, design.cache_bits)
        return self._memory[key]

    @cached_property
    def _memory(self) -> dict[tuple[tuple[str, ...], float], Mapping[str, float]]:
        return {}

    def _costs_of(self, design: LanguageDesign) -> list[tuple[Part, StageCost, tuple[float, float]]]:
        """Return the parts of a design with what each costs, and seconds and joules of the transfer before it."""
        parts = design.parts(self.costs)
        own = [self.costs.cost(each.stage, each.setting, design.cache_bits, each.blocks) for each in parts]
        return list(zip(parts, own, transfers(self.costs, parts, design.cache_bits), strict=True))

    def explain(self, design: LanguageDesign, context: Context) -> tuple[Result, ...]:
        """Return schedule, stages, energy and memory of a design."""
        memory = self.memory_parts(design)
        return explain_design(self.stages, self.soc, design.cache_bits, self._costs_of(design), memory, self.costs)

    def plan(self, evaluations: int) -> Plan:
        """Return stages, units and time."""
        titles = ", ".join(TITLES[name].lower() for name in self.stages.names)
        units = ", ".join(map(unit_title, self.costs.units))
        capacity = capacity_bytes(self.soc)
        least = min(map(self.memory_bytes, self.kept.designs))
        memory = "memory capacity unknown" if capacity is None else f"the board has {memory_size(capacity)}"
        return Plan(
            evaluations, 200.0, around(_START_S + _DESIGN_S * evaluations + _COMPARED_S * self.kept.compared),
            checks=(
                PlanCheck(True, f"{self.stages.model.name}: {titles}; on {units}"),
                PlanCheck(True, f"It needs at least {memory_size(least)} of memory; {memory}"),
            ),
        )  # fmt: skip

    def bounds(self) -> tuple[Bound, ...]:
        """Return the best time and rate of all designs."""
        columns = self.columns(self.kept.designs)
        return (
            Bound("first_token_s", "Fastest prefill", float(columns["first_token_s"].min()), "s", reached=True),
            Bound("decode_tokens_per_s", "Fastest decode", float(columns["decode_tokens_per_s"].max()), "tokens/s", reached=True),
        )  # fmt: skip

    def limit_values(self, allowed: Allowed) -> Allowed:
        """Return the limits, with the memory of the board where some design exceeds it."""
        widest = sorted((bit_widths(name) for name in self.choices.bits), key=lambda bits: bits.weights)[-2:]
        of = {name: widest[0] if name == "decode" else widest[-1] for name in self.stages.names}
        most = sum(self.stages.memory_bytes(of, max(self.choices.cache_bits)).values())
        return within_capacity(allowed, MEMORY, self.soc, most)

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on the sources of the estimates and on missing values."""
        notes: list[Result] = [rates_table(self.costs)]
        if self.costs.missing:
            words = "; ".join(f"{unit_title(name)}: {why}" for name, why in self.costs.missing.items())
            notes.append(Note("units", "Units without stages", f"{words}."))
        if self.costs.powerless:
            notes.append(Note("power", "Energy", powerless_sentence(self.costs)))
        if not self.choices.quality:
            text = "No table of qualities was given, so quality is no objective. Limit the bits, or give a table (quality)."
            notes.append(Note("quality", "Quality", text))
        return (*notes, *(Note("model", "Model", each) for each in self.stages.model.notes[:1]))

    def certainty(self) -> tuple[str, Certainty]:
        """Return the source of the rates and the certainty of the least certain one."""
        words = [each.certainty for pair in self.costs.pairs for each in self.costs.rates(*pair).values()]
        return "rates of language models in prefill and decode", max(words, key=LADDER.index)

    def less_sure(self, word: Certainty) -> tuple[str, ...]:
        """Return the units and bits whose rates are less sure than a word."""
        sure = [pair for pair in self.costs.pairs if self._sure(pair, word)]
        units = {unit for unit, _ in sure}
        found = [bits if unit in units else unit for unit, bits in self.costs.pairs if (unit, bits) not in sure]
        return tuple(dict.fromkeys(found))

    def error_factors(self) -> Mapping[str, float]:
        """Return the error band of both times in calibrated settings."""
        pairs = [self.costs.rates(*each) for each in self.costs.pairs if self._sure(each, "calibrated")]
        found = {
            "first_token_s": max((each["prefill"].error_factor or 0.0 for each in pairs), default=0.0),
            "decode_tokens_per_s": max((each["decode"].error_factor or 0.0 for each in pairs), default=0.0),
        }
        return {name: factor for name, factor in found.items() if factor}

    def _sure(self, pair: tuple[str, str], word: Certainty) -> bool:
        return all(LADDER.index(each.certainty) <= LADDER.index(word) for each in self.costs.rates(*pair).values())

    def _row(self, design: LanguageDesign) -> dict[str, float]:
        parts = self._costs_of(design)
        seconds = [(part.stage, cost.seconds + moved_s) for part, cost, (moved_s, _) in parts]
        return {
            "first_token_s": math.fsum(s for name, s in seconds if name != "decode"),
            "decode_tokens_per_s": (self.params.answer_tokens - 1)
            / math.fsum(s for name, s in seconds if name == "decode"),
            "memory_bytes": self.memory_bytes(design),
            "energy_j": math.fsum(cost.energy_j + moved_j for _, cost, (_, moved_j) in parts),
            "quality": self.choices.quality_of([each.bits for each in design.settings], design.cache_bits),
            "latency_s": math.fsum(s for _, s in seconds),
            "weight_bits": min(bit_widths(each.bits).weights for each in design.settings),
            "cache_bits": design.cache_bits,
        }


def _entry(decision: Decision, part: str, stage: str) -> Any:
    of = decision.get(part)
    if of is not None and not isinstance(of, Mapping):
        raise DecisionError(f"decision.{part}", of, "a mapping from stages to values")
    return None if of is None else of.get(stage)


def _require_one(field: str, got: Any, known: Sequence[Any]) -> None:
    if isinstance(got, bool) or got not in known:
        words = ", ".join(
            "none" if each is None else f"{each:g}" if isinstance(each, float) else each for each in known
        )
        raise DecisionError(f"decision.{field}", got, f"one of {words}")
