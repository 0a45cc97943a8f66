"""Weights that a person brought along for the original: whether they fit it, and their numbers. Without torch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from engines.contract.engine import FileStore, require
from engines.contract.errors import ProblemError
from engines.data.documents import ImageData
from engines.learning.weights_document import NetworkWeights
from engines.learning.weights_file import arrays_of, as_single, packed
from engines.methods.myml.layers import GROUPS, Layer
from engines.methods.myml.params import MymlParams

FILE = "original.safetensors"
_FIELD = "inputs.weights"
Arrays = Mapping[str, npt.NDArray[np.float32]]


def shapes_of(layers: Sequence[Layer]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the original's arrays by name: `parts.<n>.weight` and `parts.<n>.bias`, from input to output."""
    found: dict[str, tuple[int, ...]] = {}
    for number, layer in enumerate(layers):
        taps = () if number == len(layers) - 1 else layer.kernel
        found[f"parts.{number}.weight"] = (layer.filters, layer.channels, *taps)
        found[f"parts.{number}.bias"] = (layer.filters,)
    return found


def require_weights(weights: NetworkWeights, layers: Sequence[Layer], data: ImageData, params: MymlParams) -> None:
    """Refuse weights of another network, or of other classes.

    Raises:
        ProblemError: names the first tensor that does not fit, and has parameters that may make it fit.
    """
    weights.require_fit(shapes_of(layers), _FIELD, _remedies(weights, params))
    accepted = f"the classes of {data.title}: {', '.join(data.classes)}"
    require(weights.classes in ((), data.classes), f"{_FIELD}.classes", ", ".join(weights.classes), accepted)


def read(weights: NetworkWeights, layers: Sequence[Layer], files: FileStore) -> Arrays:
    """Return the numbers in 32 bits, by name.

    Raises:
        ProblemError: the file is not stored any more, or is not what the document says.
    """
    try:
        data = files.get(weights.sha256)
    except KeyError as error:
        accepted = "weights whose file is stored"
        raise ProblemError(
            f"{_FIELD}.file.sha256", weights.sha256, accepted, remedies=["Upload the file again."]
        ) from error
    found = as_single(arrays_of(data))
    if {name: array.shape for name, array in found.items()} != shapes_of(layers):
        raise ProblemError(f"{_FIELD}.file", weights.slug, "a file with the tensors that the document says")
    return found


def written(arrays: Arrays, data: ImageData, params: MymlParams, seed: int) -> bytes:
    """Return a trained original as a file that can be uploaded: safetensors with the names of `shapes_of`."""
    source = (
        f"Trained on {data.title} by the engine myml: {params.epochs} epochs, batches of "
        f"{params.original_batch}, learning rate {params.original_learning_rate:g}. "
        f"{params.kept_back_percent:g} % of the images were held out, seed {seed}"
    )
    title = f"Four blocks of {params.width} filters for {data.title}"
    return packed(arrays, {"title": title, "source": source, "classes": json.dumps(list(data.classes))})


def _remedies(weights: NetworkWeights, params: MymlParams) -> dict[str, int]:
    """Return filters and convolutions of a network of these weights, if they are of four blocks and other than the parameters."""
    first, count = weights.shapes.get("parts.0.weight", ()), sum(name.endswith(".weight") for name in weights.shapes)
    found = {}
    if first and 2 <= first[0] <= 256:
        found["params.width"] = first[0]
    if count > GROUPS and (count - 1) % GROUPS == 0:
        found["params.convolutions"] = (count - 1) // GROUPS
    return {name: value for name, value in found.items() if value != getattr(params, name.removeprefix("params."))}
