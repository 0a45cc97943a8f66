"""A workload in rows, for pages, lists and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from engines.contract.integer_format import counted
from engines.workloads.network import Network, Scenario
from engines.workloads.unknown_operators import operators_in_words, unpriced_operators


@dataclass(frozen=True)
class ModelRow:
    """One model of a scenario.

    Attributes:
        title, short_title: title and short title of the network.
        batch: samples.
        layers: schedulable layers.
        macs_whole_batch: multiply-accumulates of all samples together.
        weight_bytes: weights of all layers, embedding tables left out.
    """

    title: str
    short_title: str
    batch: int
    layers: int
    macs_whole_batch: int
    weight_bytes: int


def summarise(scenario: Scenario, word_bytes: int = 1) -> tuple[ModelRow, ...]:
    """Return one row per model, in the order of the scenario; `word_bytes` per weight."""
    return tuple(
        ModelRow(
            title=model.network.title,
            short_title=model.network.short_title,
            batch=model.batch,
            layers=len(model.network.layers),
            macs_whole_batch=model.batch * model.network.macs,
            weight_bytes=word_bytes * model.network.weight_elements,
        )
        for model in scenario.models
    )


def network_in_words(network: Network) -> str:
    """Return a network in a few words: "54 layers, 4.09 GMAC per pass"; what has no cost model is named."""
    layers = len(network.layers)
    words = f"{layers} {'layer' if layers == 1 else 'layers'}, {_macs_in_words(network.macs)} per pass"
    for excluded, told in ((False, "without a cost model"), (True, "left out")):
        operators = unpriced_operators(network, excluded)
        words += f"; {told}: {operators_in_words(operators)}" if operators else ""
    return words


def _macs_in_words(macs: int) -> str:
    """Return the count in the prefix that keeps digits: "4.09 GMAC", "126 kMAC"; most networks are in GMAC."""
    for factor, unit in ((1e9, "GMAC"), (1e6, "MMAC"), (1e3, "kMAC")):
        if macs >= factor / (10 if unit == "GMAC" else 1):
            return f"{macs / factor:.3g} {unit}"
    return f"{counted(macs)} MAC"


def scenario_in_words(scenario: Scenario) -> str:
    """Return a scenario in a few words: "2 models: GPT-2 L × 1, BERT-L × 3"."""
    models = ", ".join(
        f"{model.network.short_title} × {model.batch}"
        + (f" at {model.rate_fps:g} fps" if model.rate_fps else "")
        + (f" within {model.deadline_s:g} s" if model.deadline_s else "")
        for model in scenario.models
    )
    count = len(scenario.models)
    return f"{count} {'model' if count == 1 else 'models'}: {models}"
