"""The metrics, limits and decisions of a language model on a board."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.methods.soc_mapping.language.params import LanguageMappingParams

QUANTITIES = (
    Quantity(
        "first_token_s", "Time to first token", "s", "minimise", "objective",
        "Time of encoders and prefill, with transfers between units. Models with an action head add the actions.",
    ),
    Quantity(
        "decode_tokens_per_s", "Decode rate", "tokens/s", "maximise", "objective",
        "Tokens after the first, divided by their time and that of the cache transfer to another unit.",
    ),
    Quantity(
        "memory_bytes", "Memory", "B", "minimise", "objective",
        "Weights, cache at full length, states, and results of the widest layer for the prompt.",
    ),
    Quantity(
        "energy_j", "Energy", "J", "minimise", "metric",
        "Energy of active units and memory for the whole conversation. Missing if the power of a unit is unknown.",
    ),
    Quantity(
        "quality", "Quality", "", "maximise", "metric",
        "Lowest quality of the chosen bits in your table. Missing without a table.",
    ),
    Quantity("latency_s", "Latency", "s", "minimise", "metric", "Time of the whole conversation."),
    Quantity("weight_bits", "Bits of a weight", "bits", "none", "metric", "Fewest bits of a weight in any stage, with its scales."),
    Quantity("cache_bits", "Bits of the cache", "bits", "none", "metric", "Bits of an element of keys and values."),
    LIMIT_SLACK,
)  # fmt: skip
MEMORY = Limit("memory_limit_mb", "memory_bytes", "memory", "MB", scale=1e6)
LIMITS = (
    Limit("first_token_limit_s", "first_token_s", "time to first token", "s"),
    Limit("decode_limit", "decode_tokens_per_s", "decode rate", "tokens/s", upper=False),
    Limit("energy_limit_j", "energy_j", "energy", "J"),
    MEMORY,
    Limit("weight_bits_limit", "weight_bits", "bits of a weight", "bits", upper=False),
    Limit("cache_bits_limit", "cache_bits", "bits of the cache", "bits", upper=False),
)
DECISION_COLUMNS = (
    DecisionColumn("units", "Unit", help="Compute unit of the stage."),
    DecisionColumn(
        "blocks",
        "Blocks before the cut",
        help="Blocks of the stage that run on its unit; the rest runs on the unit of the rest.",
    ),
    DecisionColumn("bits", "Bits", help="Bits of weights and activations in the stage."),
    DecisionColumn("cache_bits", "Cache", "bit", "Bits of an element of keys and values."),
    DecisionColumn("unit_mhz", "Clock", "MHz", "Clock frequency of the unit in the stage."),
    DecisionColumn("memory_mhz", "Memory clock", "MHz", "Clock frequency of the memory in the stage."),
)
_CHOSEN = {
    "times": (),
    "times_memory": ("memory_bytes",),
    "times_energy": ("energy_j",),
    "all": ("memory_bytes", "energy_j"),
}


def objective_columns(params: LanguageMappingParams) -> tuple[str, ...]:
    """Return both times, what was chosen beside them, and the quality where there is a table of it."""
    quality = ("quality",) if params.quality.strip() else ()
    return "first_token_s", "decode_tokens_per_s", *_CHOSEN[params.objectives], *quality


CHOICE = ObjectiveChoice(
    ("first_token_s", "decode_tokens_per_s", "memory_bytes", "energy_j", "quality"), objective_columns
)
