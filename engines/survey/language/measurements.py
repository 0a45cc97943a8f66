"""Public measurements of language models on boards, and the configurations of the models that were measured."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engines.survey.language.stage_rates import Stage
from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model
from hardware.bits import is_bits_name
from hardware.soc.board_documents import device_slug, table

CONFIGURATIONS = Path(__file__).parent / "configurations.yaml"
# Where a source states neither prompt nor answer: what the same source measures elsewhere, 128 tokens and half of 64.
ASSUMED_CONTEXT_TOKENS = 160
_STATED = re.compile(r"(prompt|new|context)=(\d+)")
_MILLI = 1e-3


@dataclass(frozen=True)
class LanguageMeasurement:
    """One published figure.

    Attributes:
        board: slug of the device in the catalogue.
        measured_on: the device as its source calls it.
        bits: name of weights and activations.
        model: name of the model in its source.
        slug: slug of models of one shape.
        stage: prefill (time to the first token) or decode (tokens per second).
        tokens: tokens of the prompt in prefill, of the context in decode; None where the source states no prompt.
        stated: whether the source states them; no fit uses a row without.
        seconds_per_token: seconds per token in either stage.
        memory_mb: that the source gives; None where it gives none. No prediction uses it.
        runtime, source, where, licence, note: origin.
    """

    board: str
    measured_on: str
    bits: str
    model: str
    slug: str
    stage: Stage
    tokens: int | None
    stated: bool
    seconds_per_token: float
    memory_mb: float | None
    runtime: str
    source: str
    where: str
    licence: str
    note: str

    @property
    def value(self) -> float:
        """The figure: seconds to the first token, or tokens per second."""
        return (self.tokens or 1) * self.seconds_per_token if self.stage == "prefill" else 1 / self.seconds_per_token


@cache
def language_measurements() -> tuple[LanguageMeasurement, ...]:
    """Return all of them, in the order of the table; read once per process."""
    return tuple(_measurement(row) for row in table("language_measured"))


@cache
def measured_models() -> Mapping[str, LanguageModel]:
    """Return slug of the measurements -> model, of those whose configuration is known."""
    return {slug: read_language_model(_content(entry), slug) for slug, entry in _configurations().items()}


def shape_of(slug: str) -> str:
    """Return the name of the configuration of a model: models of one shape have one."""
    entry = _configurations().get(slug)
    return entry["shape"] if entry and "shape" in entry else slug


def not_predicted(row: LanguageMeasurement) -> str:
    """Return why nothing is predicted for a row; "" where it is."""
    if not is_bits_name(row.bits):
        return "The source does not state the bits of activations."
    if row.slug not in measured_models():
        return "The configuration of the model is not known."
    return "" if row.tokens else "The source does not state the length of the prompt."


@cache
def _configurations() -> Mapping[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = yaml.safe_load(CONFIGURATIONS.read_text(encoding="utf-8"))["models"]
    return found


def _content(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    content: Mapping[str, Any] = entry.get("configuration") or _content(_configurations()[entry["shape"]])
    return content


def _measurement(row: Mapping[str, str]) -> LanguageMeasurement:
    stated = {name: int(number) for name, number in _STATED.findall(row["input"])}
    value = float(row["value"])
    decode = row["metric"] == "decode_tokens_per_s"
    prompt = stated.get("prompt")
    tokens = prompt
    if decode:
        context = stated.get("context", 0)
        tokens = context or ((prompt or 0) + stated.get("new", 0) // 2) or ASSUMED_CONTEXT_TOKENS
    return LanguageMeasurement(
        board=device_slug(row["device"]),
        measured_on=row["measured_on"],
        bits=row["bits"],
        model=row["model"],
        slug=row["model_slug"],
        stage="decode" if decode else "prefill",
        tokens=tokens,
        stated=bool(stated),
        seconds_per_token=1 / value if decode else value * _MILLI / (prompt or 1),
        memory_mb=float(row["memory_mb"]) if row["memory_mb"] else None,
        runtime=row["runtime"],
        source=row["source"],
        where=row["where"],
        licence=row["licence"],
        note=row["note"],
    )
