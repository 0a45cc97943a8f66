"""The address of the survey that a run of a conversation with a language model leads back to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from engines.contract.engine import Engine
from engines.workloads.document_families import NETWORK

# Parameters of engines that map a conversation with a language model -> what the survey calls them in its address.
CONVERSATION = {"prompt_tokens": "prompt", "answer_tokens": "answer", "cache_bits": "cache"}


def run_survey_address(engine: Engine | None, inputs: Mapping[str, str], params: Mapping[str, Any]) -> str:
    """Return the address of the survey of a run's conversation; "" for a run without one.

    Args:
        engine: engine of the run; None if it is not installed.
        inputs: slot -> name of the document; without that of the model there is no address.
        params: parameters of the run.
    """
    if engine is None or not engine.Params.model_fields.keys() >= {*CONVERSATION, "bits"}:
        return ""
    slots = [name for name, kind in engine.inputs.items() if kind.takes(NETWORK.kind, NETWORK.schema)]
    if slots[0] not in inputs:
        return ""
    shown = {"bits": "bits", **CONVERSATION}
    chosen = {other: str(params.get(name, engine.Params.model_fields[name].default)) for name, other in shown.items()}
    single = {name: text for name, text in chosen.items() if text and "," not in text}  # of several choices, none
    return "/survey?" + urlencode({"workload": inputs[slots[0]], **single}, safe="/@")
