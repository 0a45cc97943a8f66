"""The engine language-mapping: unit, clocks and bits of each stage of a language model on one board, with the exact front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engines.contract.certainty import Certainty, SurerDesigns
from engines.contract.engine import InputKind, Problem
from engines.contract.questions import MAPPING
from engines.contract.results import Breakdown, Curve, LayerGraph, Note, Schedule, Table
from engines.documents.input_kinds import soc_slot, workload_slot
from engines.methods.soc_mapping.language.explain import BREAKDOWNS
from engines.methods.soc_mapping.language.params import LanguageMappingParams
from engines.methods.soc_mapping.language.presets import BOARD, MODEL, PRESETS
from engines.methods.soc_mapping.language.problem import PreparedLanguageModel
from engines.methods.soc_mapping.language.quantities import CHOICE, DECISION_COLUMNS, LIMITS, QUANTITIES
from engines.search.prepared_problem import PreparedEngine
from hardware.soc.model import Soc


class LanguageMappingEngine(PreparedEngine[LanguageMappingParams]):
    """Exact decisions for each stage, from rates of language models."""

    name = "language-mapping"
    title = "Language model on one board"
    summary = (
        "Chooses compute unit, clock frequencies and bits for each stage of a language model. Finds the exact Pareto front of time "
        "to first token, decode rate, memory and energy."
    )
    source = "exact search of our own; rates of boards fitted to public measurements of language models"
    question = MAPPING
    version = 1
    tags = ("mapping", "soc", "dvfs", "language model")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": soc_slot("A board with the bandwidth of its memory, and peak and clock of a unit.", BOARD),
        "workload": workload_slot("Language model", "A model imported from its config.json.", preferred=MODEL),
    }
    Params = LanguageMappingParams
    prepares = PreparedLanguageModel
    quantities = QUANTITIES
    objectives = CHOICE
    limits = LIMITS
    progress_metrics = ("latency_s", "first_token_s", "decode_tokens_per_s")
    result_types = (Schedule, LayerGraph, Curve, Breakdown, Table, Note)
    breakdowns = BREAKDOWNS
    decision_columns = DECISION_COLUMNS
    presets = PRESETS

    def estimator(self, problem: Problem[LanguageMappingParams]) -> tuple[str, Certainty]:
        """Return the rates with the least sure word among all units and bits."""
        return PreparedLanguageModel(problem).certainty()

    def primary_metric(self, problem: Problem[LanguageMappingParams]) -> str:
        """Return the latency of the conversation: many designs share the best time to the first token."""
        return "latency_s"

    def surer_designs(self, problem: Problem[LanguageMappingParams]) -> SurerDesigns:
        """Return the designs whose units and bits were measured."""
        prepared = PreparedLanguageModel(problem)
        for word in ("calibrated", "predicted"):
            without = prepared.less_sure(word)
            sure = len(without) and set(prepared.costs.units) - set(without)
            if sure and word != prepared.certainty()[1]:
                factors = prepared.error_factors() if word == "calibrated" else {}
                return SurerDesigns(without, word, factors)
        return SurerDesigns()

    def certainties(self, problem: Problem[LanguageMappingParams]) -> Mapping[str, Certainty]:
        """Return that memory is counted, qualities are the user's, and energies assumed where the powers of the board are."""
        sources = problem.value("hardware", Soc).sources
        assumed = any("power" in key and words.startswith("assumed") for key, words in sources.items())
        return {"memory_bytes": "predicted", "quality": "assumed", **({"energy_j": "assumed"} if assumed else {})}
