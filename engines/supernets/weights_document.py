"""Documents of trained supernets, schema `supernet-weights/1`: shapes, training, accuracy, and the SHA-256 of the weights' file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from engines.contract.integer_format import counted
from engines.data.documents import FileSection, ImageData, Sha256, load_image_data
from engines.supernets.space import SupernetSpace, space_from_json, space_to_json
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Words, named

WEIGHTS_SCHEMA = "supernet-weights/1"
WEIGHTS_FILE = "supernet.safetensors"
DOCUMENT_FILE = "supernet.json"
Percent = Annotated[float, Field(ge=0, le=100)]


class AccuracySection(Section):
    """Accuracy of the subnets that were measured after training, on held-out examples."""

    subnets: Annotated[int, Field(ge=1)] = Field(title="Measured subnets")
    best_validation_percent: Percent = Field(title="Best on validation", json_schema_extra={"unit": "%"})
    median_validation_percent: Percent = Field(title="Median on validation", json_schema_extra={"unit": "%"})
    test_of_best_percent: Percent = Field(title="Test accuracy of the best", json_schema_extra={"unit": "%"})


class SupernetWeightsDocument(Header):
    """A weights document of schema `supernet-weights/1`."""

    schema_name: Literal["supernet-weights/1"] = named()
    source: Words = Field(title="Source", description="How the weights came about.")
    file: FileSection = Field(title="File", description="The weights, safetensors.")
    space: dict[str, Any] = Field(title="Space", description="Shapes of the supernet and choices of its superblocks.")
    data: dict[str, Any] = Field(title="Data set", description="Document of the data set that it learnt.")
    data_sha256: Sha256 = Field(
        title="Content hash", description="Hash of the examples used for training and measurement."
    )
    training: dict[str, Any] = Field(title="Training", description="Parameters and seed of the training.")
    accuracy: AccuracySection = Field(title="Accuracy")


@dataclass(frozen=True)
class SupernetWeights:
    """A trained supernet as engines see it, its weights left in their file.

    Attributes:
        slug, title: name and words.
        sha256: sha256 of the file of weights.
        space: shapes and choices.
        data: training data.
        data_sha256: content hash of the examples.
        training: parameters and seed.
        subnets, best_percent: number of measured subnets, and the best validation accuracy.
    """

    slug: str
    title: str
    sha256: str
    space: SupernetSpace
    data: ImageData
    data_sha256: str
    training: Mapping[str, Any]
    subnets: int
    best_percent: float


def load_weights(content: Mapping[str, Any]) -> SupernetWeights:
    """Return the trained supernet that a document describes.

    Raises:
        HardwareError, ProblemError: names the key, what was got and what is accepted.
    """
    document = validated(SupernetWeightsDocument, content, name_of(content, None))
    return SupernetWeights(
        slug=document.slug,
        title=document.title,
        sha256=document.file.sha256,
        space=space_from_json(document.space),
        data=load_image_data(document.data),
        data_sha256=document.data_sha256,
        training=document.training,
        subnets=document.accuracy.subnets,
        best_percent=document.accuracy.best_validation_percent,
    )


def weights_document(
    slug: str,
    source: str,
    space: SupernetSpace,
    data: Mapping[str, Any],
    data_sha256: str,
    file: Mapping[str, Any],
    training: Mapping[str, Any],
    accuracy: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the document of a supernet that was just trained; `source` says by what."""
    shape = "pyramid" if space.pyramid else "isotropic"
    return {
        "schema": WEIGHTS_SCHEMA,
        "slug": slug,
        "title": f"Supernet ({shape}) trained on {data['title']}"[:200],
        "summary": "",
        "source": source,
        "file": dict(file),
        "space": space_to_json(space),
        "data": dict(data),
        "data_sha256": data_sha256,
        "training": dict(training),
        "accuracy": dict(accuracy),
    }


def weights_words(weights: SupernetWeights) -> str:
    """Return the supernet in a few words, for lists."""
    shape = "pyramid" if weights.space.pyramid else "isotropic"
    return (
        f"{shape} supernet of {counted(weights.space.size)} subnets on {weights.data.slug}, "
        f"best of {weights.subnets}: {weights.best_percent:.1f} %"
    )


SUPERNET_WEIGHTS = DocumentFamily(
    "supernet-weights", "weights", "Trained weights", "Trained weights", load_weights, weights_words
)
