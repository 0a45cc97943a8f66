"""Documents of trained estimators, schema `estimator-weights/1`: board, classes, training, accuracy, the file of weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from engines.contract.arrays import FloatArray
from engines.contract.engine import FileStore
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.data.documents import FileSection
from engines.methods.mapformer.estimator.classes import CLASSES
from engines.methods.mapformer.estimator.shape import EstimatorShape
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Slug, Words, named

SCHEMA = "estimator-weights/1"
WEIGHTS_FILE, DOCUMENT_FILE = "estimator.safetensors", "estimator.json"
BUILTIN = Path(__file__).parent / "builtin"
Share = Annotated[float, Field(ge=0, le=1)]
Edges = Annotated[list[float], Field(min_length=CLASSES + 1, max_length=CLASSES + 1)]
Few = Annotated[int, Field(ge=1, le=1024)]


class UnitSection(Section):
    """A unit of the board that it was trained for."""

    name: Words = Field(title="Name")
    clocks_mhz: Annotated[list[float], Field(min_length=1, max_length=1000)] = Field(
        title="Clocks", json_schema_extra={"unit": "MHz"}
    )


class ShapeSection(Section):
    """Shape of the transformer, and the mixes that it takes."""

    layers: Few = Field(title="Layers of the encoder")
    heads: Few = Field(title="Heads")
    width: Few = Field(title="Width")
    inner: Annotated[int, Field(ge=1, le=65_536)] = Field(title="Inner width")
    most_networks: Few = Field(title="Networks of a mix, at most")
    most_layers: Annotated[int, Field(ge=1)] = Field(title="Layers of a mix, at most")
    segments: Few = Field(title="Segments of a network, at most")


class HeadSection(Section):
    """The accuracy of predicted classes, on mappings that nothing was learnt from."""

    mappings: Annotated[int, Field(ge=1)] = Field(title="Mappings")
    throughput_exact: Share = Field(title="Throughput, exact class")
    throughput_near: Share = Field(title="Throughput, within one class")
    power_exact: Share = Field(title="Power, exact class")
    power_near: Share = Field(title="Power, within one class")


class AccuracySection(Section):
    """On mixes held out, and on mixes of networks that training never saw."""

    held_out: HeadSection = Field(title="Held-out mixes")
    unseen: HeadSection | None = Field(default=None, title="Networks never seen")


class EstimatorDocument(Header):
    """A weights document of schema `estimator-weights/1`."""

    schema_name: Literal["estimator-weights/1"] = named()
    source: Words = Field(title="Source", description="How the weights came about.")
    file: FileSection = Field(title="File", description="The weights, safetensors.")
    board: Slug = Field(title="Board", description="Slug of the device that it was trained for.")
    units: Annotated[list[UnitSection], Field(min_length=1, max_length=64)] = Field(title="Units")
    shape: ShapeSection = Field(title="Shape")
    throughput_edges_per_s: Edges = Field(title="Ends of the classes of throughput", json_schema_extra={"unit": "1/s"})
    power_edges_w: Edges = Field(title="Ends of the classes of power", json_schema_extra={"unit": "W"})
    costs: Words = Field(title="Costs", description="Where layer times came from.")
    training: dict[str, Any] = Field(title="Training", description="Parameters, seed and networks of the training.")
    accuracy: AccuracySection = Field(title="Accuracy")


@dataclass(frozen=True, eq=False)
class TrainedEstimator:
    """An estimator as engines see it, its weights left in their file.

    Attributes:
        slug, title: name and words.
        sha256: sha256 of the file of weights.
        board: slug of its device.
        units: name -> clocks in MHz.
        shape: shape of the transformer.
        most_layers, segments: largest number of layers and segments of a mix.
        throughput_edges, power_edges: ends of the classes in 1/s and W, shape `CLASSES + 1`.
        accuracy: as the document says.
    """

    slug: str
    title: str
    sha256: str
    board: str
    units: Mapping[str, tuple[float, ...]]
    shape: EstimatorShape
    most_layers: int
    segments: int
    throughput_edges: FloatArray
    power_edges: FloatArray
    accuracy: AccuracySection


def load_estimator(content: Mapping[str, Any]) -> TrainedEstimator:
    """Return the estimator that a document describes.

    Raises:
        HardwareError, ProblemError: names the key, what was got and what is accepted.
    """
    document = validated(EstimatorDocument, content, name_of(content, None))
    edges = {name: np.array(getattr(document, name)) for name in ("throughput_edges_per_s", "power_edges_w")}
    for name, values in edges.items():
        if (np.diff(values) < 0).any():
            raise ProblemError(name, getattr(document, name), "ascending")
    clocks = sum(len(unit.clocks_mhz) + 1 for unit in document.units)
    own = document.shape
    return TrainedEstimator(
        document.slug, document.title, document.file.sha256, document.board,
        {unit.name: tuple(unit.clocks_mhz) for unit in document.units},
        EstimatorShape(
            len(document.units), clocks, own.most_networks, own.layers, own.heads, own.width, own.inner
        ),
        own.most_layers, own.segments, edges["throughput_edges_per_s"], edges["power_edges_w"], document.accuracy,
    )  # fmt: skip


def estimator_words(said: TrainedEstimator) -> str:
    """Return the estimator in a few words, for lists."""
    found = said.accuracy.held_out
    return (
        f"for {said.board}, mixes of at most {said.shape.networks} networks and {many(said.most_layers, 'layer')}; "
        f"within one class: throughput {100 * found.throughput_near:.0f} %, power {100 * found.power_near:.0f} %"
    )


@cache
def builtin_estimators() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> document of those that ship; a tool of the repository trains them."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BUILTIN.glob("*.json"))]
    return {document["slug"]: document for document in found}


def builtin_for(board: str) -> TrainedEstimator | None:
    """Return the one that ships for a device, if there is one."""
    fitting = [each for each in builtin_estimators().values() if each["board"] == board]
    return load_estimator(fitting[0]) if fitting else None


def weights_of(said: TrainedEstimator, files: FileStore) -> bytes:
    """Return the file of weights.

    Raises:
        ProblemError: it is not stored any more.
    """
    shipped = BUILTIN / f"{said.slug}.safetensors"
    if said.slug in builtin_estimators() and builtin_estimators()[said.slug]["file"]["sha256"] == said.sha256:
        return shipped.read_bytes()
    try:
        return files.get(said.sha256)
    except KeyError as error:
        accepted = "an estimator whose file of weights is stored"
        raise ProblemError(
            "inputs.weights.file.sha256", said.sha256, accepted, remedies=["Train the estimator again."]
        ) from error


ESTIMATOR_WEIGHTS = DocumentFamily(
    "estimator-weights", "weights", "Trained estimator", "Trained estimators", load_estimator, estimator_words,
    builtins=builtin_estimators,
)  # fmt: skip
