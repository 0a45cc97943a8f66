"""Parameters of the mapping of a language model."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, limit, number, switch, text
from engines.cost.device_fields import clock_steps_field, clocks_field, power_mode_field
from engines.mapping.problem.options import Clocks

MOST_TOKENS = 1_000_000
Granularity = Literal["stages", "blocks"]
Objectives = Literal["times", "times_memory", "times_energy", "all"]


class LanguageMappingParams(EngineParams):
    """Which conversation runs, between which bits and clocks the search chooses, and within which limits."""

    prompt_tokens: int = number(
        512, (1, MOST_TOKENS), "tokens", "Prompt", "Conversation", "Number of prompt tokens, including those of images."
    )
    answer_tokens: int = number(128, (2, MOST_TOKENS), "tokens", "Answer", "Conversation", "Tokens of the answer.")
    action_tokens: int = for_experts(number(
        50, (1, MOST_TOKENS), "actions", "Actions", "Conversation",
        "Number of actions per chunk, for models with an action head.",
    ))  # fmt: skip
    action_steps: int = for_experts(number(
        10, (1, 1000), "passes", "Passes of the action head", "Conversation",
        "Number of denoising passes of the action head for a chunk.",
    ))  # fmt: skip
    objectives: Objectives = choice(
        "times_memory",
        "Objective",
        "Search",
        {
            "times": "Time to first token and decode rate",
            "times_memory": "These and memory",
            "times_energy": "These and energy",
            "all": "These, memory and energy",
        },
        "Objectives of the front. Energy needs a board with a known power of every unit. A table of qualities adds the quality.",
    )
    granularity: Granularity = choice(
        "stages",
        "Units",
        "Search",
        {"stages": "One for each stage", "blocks": "Cuts between blocks"},
        "With cuts, the first blocks of prefill and decode may run on another unit than the rest. Transfers are included.",
    )
    bits: str = text(
        "w8a8, w4a16, fp16",
        "Bits to choose from",
        "Bits",
        'Bits of weights and activations, as in "w8a8, w4a16-g128". Each stage gets one of them.',
    )
    cache_bits: str = text(
        "16, 8", "Bits of the cache to choose from", "Bits", "Bits of an element of keys and values, from 1 to 32."
    )
    copies: bool = switch(
        True,
        "Other bits in prefill and decode",
        "Bits",
        "On: prefill and decode may use other bits, and the memory then holds the weights twice. Off: both use the same weights.",
    )
    quality: str = text(
        "",
        "Quality by bits",
        "Bits",
        'Your table of qualities, as in "fp16: 100; w8a8: 99.6; w4a16: 97; cache 16: 100; cache 8: 99.5". Higher is better. '
        "A design has the lowest quality of its bits. Empty: quality is no objective; use limits on bits in its place.",
    )
    first_token_limit_s: float | None = limit("s", 1e6, "Time to first token, at most")
    decode_limit: float | None = limit("tokens/s", 1e6, "Decode rate, at least")
    energy_limit_j: float | None = limit("J", 1e9, "Energy, at most", "Energy of the whole conversation.")
    memory_limit_mb: float | None = limit("MB", 1e9, "Memory, at most", none="the memory of the board")
    weight_bits_limit: float | None = limit("bits", 32, "Bits of a weight, at least", "In every stage, with scales.")
    cache_bits_limit: float | None = for_experts(limit("bits", 32, "Bits of the cache, at least"))
    clocks: Clocks = clocks_field("searched", "Searched for each stage", "stage")
    power_mode: str = for_experts(power_mode_field())
    clock_steps: int = for_experts(clock_steps_field(4))
