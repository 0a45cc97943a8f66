"""Parameters of the mapping search."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import (
    BitsName,
    bits_field,
    clock_choices_field,
    clock_steps_field,
    clocks_field,
    fallback_field,
    fusion_field,
    power_mode_field,
)
from engines.cost.estimators.registry import CostModelName, cost_model_field, cost_table_field
from engines.cost.memory_capacity import ignore_memory_field
from engines.cost.soc.operator_fusion import Fusion
from engines.mapping.problem.options import Clocks, Granularity
from engines.search.search_fields import evaluations_field, population_field

Method = Literal["exact", "nsga2_published", "nsga2", "random"]
Objectives = Literal["latency_energy", "latency_power", "latency_energy_power", "latency", "energy", "power", "edp"]


class SocMappingParams(EngineParams):
    """The parameters of a mapping: blocks, search, limits and clock frequencies."""

    method: Method = choice(
        "exact",
        "Search",
        "Search",
        {
            "exact": "Exact front",
            "nsga2_published": "NSGA-II, as published",
            "nsga2": "NSGA-II, tuned",
            "random": "Random",
        },
        "Exact: dynamic programming, every best mapping. NSGA-II as published: every block flips with probability 0.4, mappings of "
        "two Pareto individuals are exchanged with 0.8. Tuned: one flip per mapping on average. Random: the floor.",
    )
    granularity: Granularity = for_experts(
        choice(
            "blocks",
            "Mapped one by one",
            "Search",
            {"blocks": "Blocks", "layers": "Layers"},
            "Blocks: operators whose names start alike stay together; large blocks are split by the next "
            "part of the names. Layers: every operator with the operators fused into it.",
        )
    )
    objectives: Objectives = choice(
        "latency_energy",
        "Objective",
        "Search",
        {
            "latency_energy": "Latency and energy",
            "latency_power": "Latency and average power",
            "latency_energy_power": "Latency, energy and average power",
            "latency": "Latency",
            "energy": "Energy",
            "power": "Average power",
            "edp": "Energy-delay product",
        },
        "Objectives of the front. The search minimises latency and energy; this front holds the best of "
        "each and of their product. With average power, the search minimises all three.",
    )
    evaluations: int = for_experts(
        evaluations_field(
            2000,
            (10, 1_000_000),
            "mappings",
            "Mappings that NSGA-II or random search score; the exact search ends by itself.",
        )
    )
    population: int = for_paper(population_field(200, (4, 2000), "mappings", "Mappings per generation of NSGA-II."))
    seed_standalone: bool = for_paper(
        switch(
            False,
            "Start from single units",
            "Search",
            "The first population of NSGA-II holds the mapping to each unit alone.",
        )
    )
    labels: int = number(
        20_000,
        (100, 1_000_000),
        "partial mappings",
        "Partial mappings kept",
        "Search",
        "Limit per unit and clock setting. Above it the front is thinned, and a note gives the error.",
        advanced=True,
    )
    latency_limit_s: float | None = limit("s", 1e6, "Latency, at most", "Mappings that take longer are left out.")
    latency_slack_percent: float | None = limit(
        "%",
        1e6,
        "Latency above the fastest single unit, at most",
        "0: as fast as the network on its fastest unit alone, at the highest of the clocks.",
    )
    energy_limit_j: float | None = limit("J", 1e6, "Energy, at most", "Mappings that need more are left out.")
    power_limit_w: float | None = for_experts(
        limit("W", 1e6, "Average power, at most", "Energy over latency of a mapping.")
    )
    transition_limit: int | None = for_experts(
        limit(
            "changes",
            100_000,
            "Unit transitions, at most",
            "How often the mapping may change from one unit to another.",
            zero=True,
        )
    )
    unit_rules: str = text(
        "",
        "Units of blocks",
        "Units",
        'Units that blocks may use, as in "stem: gpu; grapher*: not dla; ffn1: gpu dla". A * matches any '
        "text; the last matching rule counts; blocks without a rule may use all units.",
    )
    own_mappings: str = for_experts(
        text(
            "",
            "Mappings of your own",
            "Units",
            'Mappings to compare with the front, as in "gpu 1-12, dla 13-34" (numbers of blocks) or '
            '"gpu*12 dla*22" (in order). Names work as in "*: dla; grapher1: gpu". A name may come first: '
            '"as deployed = gpu*34". A | separates several mappings. They may violate limits and rules.',
            longest=20_000,
        )
    )
    fallback: bool = for_experts(fallback_field())
    unmeasured: Unmeasured = for_experts(unmeasured_field())
    bits: BitsName = for_experts(bits_field())
    cost_model: CostModelName = cost_model_field("Units")
    cost_table: str = cost_table_field("Units")
    fusion: Fusion = for_experts(fusion_field())
    ignore_memory: bool = ignore_memory_field()
    clocks: Clocks = clocks_field("fixed", "Searched with the mapping", "mapping")
    power_mode: str = for_experts(power_mode_field())
    clock_steps: int = for_experts(clock_steps_field(4))
    clock_choices: str = clock_choices_field()
    baselines: bool = for_experts(
        switch(True, "Baselines", "Search", "Also score the network on each unit alone, at the highest of the clocks.")
    )
