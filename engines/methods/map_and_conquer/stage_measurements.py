"""Documents of stages that were trained and measured, schema `measured-cuts/1`: what each of them saw, and how accurate it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.methods.map_and_conquer.model.accuracy import MeasuredCurve
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Words, named

SCHEMA, DOCUMENT_FILE = "measured-cuts/1", "measured-cuts.json"
Percent = Annotated[float, Field(ge=0, le=100)]


class StageSection(Section):
    """One stage of a configuration that was trained."""

    seen: Annotated[float, Field(ge=0, le=1)] = Field(
        title="Seen",
        description="Share of what matters that it sees, mean over the layers, by the engine's assumed importance.",
    )
    accuracy_percent: Percent = Field(title="Accuracy", json_schema_extra={"unit": "%"})


class MeasuredCutsDocument(Header):
    """A document of schema `measured-cuts/1`."""

    schema_name: Literal["measured-cuts/1"] = named()
    network: Words = Field(title="Network", description="Slug of the network that was cut.")
    data: Words = Field(title="Data set", description="Slug of what it learnt and was measured on.")
    classes: Annotated[int, Field(ge=2, le=100_000)] = Field(title="Classes")
    whole_accuracy_percent: Percent = Field(title="Accuracy of the whole network", json_schema_extra={"unit": "%"})
    stages: Annotated[list[StageSection], Field(min_length=2, max_length=10_000)] = Field(title="Stages")
    training: dict[str, Any] = Field(title="Training", description="Parameters and seed of the training.")


@dataclass(frozen=True, eq=False)
class MeasuredCuts:
    """The content of a document.

    Attributes:
        title: title of the document.
        network, data: slugs.
        curve: accuracy of a stage by what it sees.
        stages: number of measured stages.
    """

    title: str
    network: str
    data: str
    curve: MeasuredCurve
    stages: int


def load_measured_cuts(content: Mapping[str, Any]) -> MeasuredCuts:
    """Return the measurement that a document describes.

    Raises:
        HardwareError: names the key, what was got and what is accepted.
    """
    document = validated(MeasuredCutsDocument, content, name_of(content, None))
    seen = np.array([stage.seen for stage in document.stages])
    percent = np.array([stage.accuracy_percent for stage in document.stages])
    curve = fitted_curve(seen, percent, document.whole_accuracy_percent, 100.0 / document.classes)
    return MeasuredCuts(document.title, document.network, document.data, curve, len(seen))


def fitted_curve(seen: FloatArray, percent: FloatArray, whole_percent: float, guessing_percent: float) -> MeasuredCurve:
    """Return curve that never falls and is nearest to a measurement in squares (isotonic regression), straight between its points.

    Args:
        seen: share of what matters that each stage sees, shape `k`.
        percent: accuracy in per cent, shape `k`.
        whole_percent: accuracy of the whole network, which sees all features.
        guessing_percent: guessing in per cent of a stage that sees nothing.
    """
    from sklearn.isotonic import IsotonicRegression  # on use: it takes its time to load

    x = np.concatenate([[0.0], seen, [1.0]])
    y = np.concatenate([[min(guessing_percent, whole_percent)], percent, [whole_percent]])
    model = IsotonicRegression(y_max=whole_percent).fit(x, y)
    return MeasuredCurve(np.asarray(model.X_thresholds_, np.float64), np.asarray(model.y_thresholds_, np.float64))


def measured_document(
    network: str,
    data: str,
    classes: int,
    whole_percent: float,
    stages: Sequence[tuple[float, float]],
    training: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the document of stages that were just measured: what each sees, and its accuracy in per cent."""
    return {
        "schema": SCHEMA,
        "slug": f"cuts-of-{network}"[:80].rstrip("-"),
        "title": f"Stages of {network} on {data}",
        "summary": "",
        "source": "trained by the engine map-and-conquer (odema-2024 section 2.4)",
        "network": network,
        "data": data,
        "classes": classes,
        "whole_accuracy_percent": whole_percent,
        "stages": [{"seen": seen, "accuracy_percent": percent} for seen, percent in stages],
        "training": dict(training),
    }


def measured_words(found: MeasuredCuts) -> str:
    """Return the measurement in a few words, for lists."""
    return f"{counted(found.stages)} stages of {found.network} measured on {found.data}: {found.curve.words()}"


MEASURED_CUTS = DocumentFamily(
    "measured-cuts", "weights", "Measured stages", "Measured stages", load_measured_cuts, measured_words
)
