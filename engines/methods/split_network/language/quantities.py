"""The metrics, limits and decisions of a language model between a device and a server."""

from __future__ import annotations

from engines.contract.decision_columns import DecisionColumn
from engines.contract.limits import LIMIT_SLACK, Limit
from engines.contract.quantities import ObjectiveChoice, Quantity
from engines.methods.split_network.language.params import LanguageSplitParams

QUANTITIES = (
    Quantity(
        "first_token_s", "Time to first token", "s", "minimise", "objective",
        "Time of prefill. At the server it includes sending the prompt, the round trip and receiving the token.",
    ),
    Quantity(
        "decode_tokens_per_s", "Decode rate", "tokens/s", "maximise", "objective",
        "Tokens after the first, divided by their time and that of the cache transfer.",
    ),
    Quantity(
        "energy_j", "Device energy", "J", "minimise", "objective",
        "Energy of computing and radio on the device for one conversation, without waiting. Missing if the power is unknown.",
    ),
    Quantity("latency_s", "Latency", "s", "minimise", "metric", "Time of the whole conversation."),
    Quantity("uploaded_bytes", "Uploaded", "B", "minimise", "metric", "Data that the device sends, with headers."),
    Quantity("downloaded_bytes", "Downloaded", "B", "minimise", "metric", "Data that the device receives, with headers."),
    Quantity(
        "tokens_per_pass", "Tokens per pass", "tokens", "maximise", "metric",
        "Expected tokens of one pass of the model: 1 without a draft, else (1 - a^(k+1)) / (1 - a).",
    ),
    LIMIT_SLACK,
)  # fmt: skip
LIMITS = (
    Limit("first_token_limit_s", "first_token_s", "time to first token", "s"),
    Limit("decode_limit", "decode_tokens_per_s", "decode rate", "tokens/s", upper=False),
    Limit("energy_limit_j", "energy_j", "energy of the device", "J"),
    Limit("uploaded_limit_mb", "uploaded_bytes", "upload", "MB", scale=1e6),
)
DECISION_COLUMNS = (
    DecisionColumn("prefill", "Prefill", help="Which side reads the prompt."),
    DecisionColumn(
        "decode", "Decode", help="Which side writes the answer; draft: the device drafts, the server verifies."
    ),
    DecisionColumn(
        "transfer_bits", "Cache on the link", "bit", "Bits of an element of the transferred cache; 0: not transferred."
    ),
    DecisionColumn("draft_tokens", "Draft", "tokens", "Tokens of a draft; 0: no draft."),
)


def objective_columns(params: LanguageSplitParams) -> tuple[str, ...]:
    """Return both times, and the energy where it was chosen."""
    return ("first_token_s", "decode_tokens_per_s", *(("energy_j",) if params.objectives == "times_energy" else ()))


CHOICE = ObjectiveChoice(("first_token_s", "decode_tokens_per_s", "energy_j"), objective_columns)
