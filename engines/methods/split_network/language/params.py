"""Parameters of the split of a language model."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, limit, number, text

MOST_TOKENS = 1_000_000
MESSAGE_BYTES = 40  # headers of IPv4 (RFC 791) and TCP (RFC 9293), without options
Objectives = Literal["times", "times_energy"]


class LanguageSplitParams(EngineParams):
    """Which conversation runs, over which link, and what the search chooses from."""

    prompt_tokens: int = number(
        512, (1, MOST_TOKENS), "tokens", "Prompt", "Conversation", "Number of prompt tokens, including those of images."
    )
    answer_tokens: int = number(128, (2, MOST_TOKENS), "tokens", "Answer", "Conversation", "Tokens of the answer.")
    objectives: Objectives = choice(
        "times_energy",
        "Objective",
        "Search",
        {
            "times": "Time to first token and decode rate",
            "times_energy": "These and energy of the device",
        },
        "Objectives of the front. Energy needs a device whose power is known.",
    )
    uplink_mbps: float | None = number(
        None, (0, 1e6), "Mbit/s", "Uplink", "Link",
        "Bandwidth of the link. Empty: the typical value of the radio description.", above=True,
    )  # fmt: skip
    downlink_mbps: float | None = number(
        None, (0, 1e6), "Mbit/s", "Downlink", "Link",
        "Bandwidth of the link. Empty: the typical value of the radio description.", above=True,
    )  # fmt: skip
    round_trip_ms: float | None = number(
        None, (0, 1e5), "ms", "Round trip", "Link",
        "Network round trip. Empty: the typical value of the radio description.",
    )  # fmt: skip
    message_bytes: int = for_experts(
        number(
            MESSAGE_BYTES,
            (0, 10_000),
            "B",
            "Headers of a message",
            "Link",
            "Bytes that each message adds to its content.",
        )
    )
    transfer_bits: str = text(
        "16, 8",
        "Bits of a transferred cache",
        "Cache",
        "Bits of an element of keys and values on the link, from 1 to 32.",
    )
    draft_tokens: str = text(
        "2, 4, 8", "Tokens of a draft", "Draft", "Tokens that the draft model writes before the server verifies them."
    )
    acceptance: float = number(
        0.7, (0, 1), "of 1", "Acceptance", "Draft",
        "Probability that the model accepts a token of the draft, independent of the others. Assumed: measure it for your models.",
    )  # fmt: skip
    bits: str = for_experts(
        text("", "Bits", "Cost model", "Bits of weights and activations. Empty: those of each machine.")
    )
    first_token_limit_s: float | None = limit("s", 1e6, "Time to first token, at most")
    decode_limit: float | None = limit("tokens/s", 1e6, "Decode rate, at least")
    energy_limit_j: float | None = limit(
        "J", 1e9, "Energy of the device, at most", "Largest energy of computing and radio per conversation."
    )
    uploaded_limit_mb: float | None = limit("MB", 1e9, "Upload, at most")
