"""The engine language-split: prefill and decode of a language model on a device or at a server, with drafts as an option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engines.contract.certainty import Certainty
from engines.contract.engine import InputKind, MetricBreakdown, Preset, Problem
from engines.contract.questions import SPLIT
from engines.contract.results import Breakdown, Note, Table
from engines.documents.input_kinds import slot, soc_slot, workload_slot
from engines.methods.split_network.language.params import LanguageSplitParams
from engines.methods.split_network.language.problem import PreparedConversation
from engines.methods.split_network.language.quantities import CHOICE, DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.search.prepared_problem import PreparedEngine
from hardware.radio.family import RADIO

_MODEL, _DRAFT = "qwen3-8b-prefill-512", "qwen3-0-6b-prefill-128"
_PHONE = {
    "hardware": "snapdragon-855",
    "workload": _MODEL,
    "radio": "wifi-smartphone",
    "server": "jetson-agx-thor-t5000",
}


class LanguageSplitEngine(PreparedEngine[LanguageSplitParams]):
    """Every placement of both stages, priced."""

    name = "language-split"
    title = "Language model between device and server"
    summary = (
        "Finds which stage of a language model runs on a device and which at a server behind a wireless link. It prices the "
        "transfer of the cache, and speculative decoding with drafts of the device."
    )
    source = "exact search of our own; speculative decoding of Leviathan et al. 2023 (arXiv 2211.17192)"
    question = SPLIT
    version = 1
    tags = ("offloading", "soc", "radio", "language model")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        # A device that decodes nearly as fast as the server: drafts of a slower one gain nothing.
        "hardware": soc_slot("The device of the user.", "jetson-agx-xavier"),
        "workload": workload_slot(
            "Language model", "A language model that was imported with its configuration.", preferred=_MODEL
        ),
        "radio": slot(RADIO, "The wireless link of the device, with its power.", preferred=_PHONE["radio"]),
        "server": soc_slot("The machine behind the link.", "x86-server", title="Server"),
        "draft": workload_slot(
            "Draft model",
            "A smaller model of the same vocabulary on the device. Empty: no drafts.",
            preferred=_DRAFT,
            required=False,
        ),
    }
    Params = LanguageSplitParams
    prepares = PreparedConversation
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("first_token_s", "decode_tokens_per_s", "energy_j")
    result_types = (Breakdown, Table, Note)
    breakdowns = (
        MetricBreakdown("latency_s", "latency", "by part", "parts"),
        MetricBreakdown("energy_j", "energy", "by part", "parts"),
    )
    decision_columns = DECISION_COLUMNS
    presets = (
        Preset(
            "qwen3-phone", "Qwen3-8B for a phone behind Wi-Fi, with drafts of Qwen3-0.6B", {**_PHONE, "draft": _DRAFT}
        ),
    )  # fmt: skip

    def estimator(self, problem: Problem[LanguageSplitParams]) -> tuple[str, Certainty]:
        """Return the rates of boards, as sure as the least sure side."""
        return "rates of language models in prefill and decode, and throughput of the link", PreparedConversation(
            problem
        ).certainty()

    def primary_metric(self, problem: Problem[LanguageSplitParams]) -> str:
        """Return the latency of the conversation."""
        return "latency_s"
