"""Documents of weights that a person brought along, schema `network-weights/1`: tensors by name and shape, and their file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Annotated, Any, Literal

from pydantic import Field

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.data.documents import FileSection
from hardware.document_reader import name_of, validated
from hardware.errors import Remedy
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Words, named

NETWORK_WEIGHTS_SCHEMA = "network-weights/1"
MOST_TENSORS = 10_000
Size = Annotated[int, Field(ge=0, le=10**9)]


class TensorSection(Section):
    """An array of the file."""

    name: Annotated[str, Field(min_length=1, max_length=200)] = Field(title="Name")
    shape: Annotated[list[Size], Field(max_length=8)] = Field(title="Shape")


class NetworkWeightsDocument(Header):
    """A weights document of schema `network-weights/1`."""

    schema_name: Literal["network-weights/1"] = named()
    source: Words = Field(title="Source", description="How the weights came about.")
    file: FileSection = Field(title="File", description="The weights: safetensors, or .npz without pickles.")
    tensors: Annotated[list[TensorSection], Field(min_length=1, max_length=MOST_TENSORS)] = Field(title="Tensors")
    classes: Annotated[list[Words], Field(max_length=10_000)] = Field(
        default_factory=list, title="Classes", description="Meaning of the outputs, if the file gives it."
    )


@dataclass(frozen=True)
class NetworkWeights:
    """Weights as engines see them, their numbers left in the file.

    Attributes:
        slug, title, source: name and words.
        sha256: sha256 of the file.
        shapes: shapes of the arrays by name.
        classes: classes of the outputs; empty if the file does not name them.
    """

    slug: str
    title: str
    source: str
    sha256: str
    shapes: Mapping[str, tuple[int, ...]]
    classes: tuple[str, ...]

    def require_fit(self, shapes: Mapping[str, Sequence[int]], field: str, remedies: Mapping[str, Any]) -> None:
        """Refuse weights of another network.

        Args:
            shapes: shapes of the network's own arrays by name.
            field: dotted path of the input.
            remedies: parameter -> value with which the network would be that of the weights, as far as is known.

        Raises:
            ProblemError: names the first tensor that is missing, too many or of another shape, and tells of the others.
        """
        wrong: list[tuple[str, Any, str]] = []
        for name, shape in shapes.items():
            own = self.shapes.get(name)
            if own != tuple(shape):
                wrong.append((f"{field}.{name}", "nothing" if own is None else shape_words(own), shape_words(shape)))
        wrong += [
            (f"{field}.{name}", shape_words(shape), f"one of {', '.join(list(shapes)[:40])}")
            for name, shape in self.shapes.items()
            if name not in shapes
        ]
        if wrong:
            error = ProblemError(*wrong[0]).with_others(wrong[1:])
            error.remedies = tuple(Remedy.to_set(*each) for each in remedies.items())
            raise error


def shape_words(shape: Sequence[int]) -> str:
    """Return a shape in words."""
    return " x ".join(str(each) for each in shape) or "one number"


def load_network_weights(content: Mapping[str, Any]) -> NetworkWeights:
    """Return the weights that a document describes.

    Raises:
        HardwareError, ProblemError: names the key, what was got and what is accepted.
    """
    document = validated(NetworkWeightsDocument, content, name_of(content, None))
    shapes = {each.name: tuple(each.shape) for each in document.tensors}
    if len(shapes) < len(document.tensors):
        raise ProblemError("tensors", f"{len(document.tensors) - len(shapes)} names twice", "distinct names")
    return NetworkWeights(
        document.slug, document.title, document.source, document.file.sha256, shapes, tuple(document.classes)
    )


def network_weights_words(weights: NetworkWeights) -> str:
    """Return the weights in a few words, for lists."""
    numbers = sum(prod(shape) for shape in weights.shapes.values())
    return f"{counted(len(weights.shapes))} tensors of {counted(numbers)} numbers"


NETWORK_WEIGHTS = DocumentFamily(
    "network-weights",
    "weights",
    "Weights of a network",
    "Weights of networks",
    load_network_weights,
    network_weights_words,
)
