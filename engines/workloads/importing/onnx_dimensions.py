"""Open dimensions of a network's inputs: their names, and the sizes that somebody gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import onnx

from engines.contract.counts import counted
from engines.contract.errors import ProblemError
from engines.workloads.importing.limits import MAX_OPEN_SIZE
from engines.workloads.importing.onnx_file import printable


@dataclass(frozen=True)
class OpenDimensions:
    """What was given for them.

    Attributes:
        places: name of an open dimension of the inputs -> the name with where it stands.
        inner: names with sizes that are of no input; of a tensor in the network, if the network has one of that name.
    """

    places: Mapping[str, str]
    inner: Mapping[str, int]


def fill_open_dimensions(graph: onnx.GraphProto, given: Mapping[str, Any]) -> OpenDimensions:
    """Put the given values where the inputs leave a dimension open.

    Raises:
        ProblemError: for all that are missing together, each with its place; for a size out of bounds.
    """
    constants = {each.name for each in graph.initializer}
    places: dict[str, str] = {}
    for each in graph.input:
        if each.name in constants or not each.type.HasField("tensor_type"):
            continue
        if not each.type.tensor_type.HasField("shape"):
            raise ProblemError("file", printable(each.name), "an input with a shape; export the network with one")
        for axis, dimension in enumerate(each.type.tensor_type.shape.dim):
            name = _open_name(dimension, each.name, axis)
            if name is not None:
                places.setdefault(name, f"{name} (axis {axis} of {printable(each.name)})")
                if name in given:
                    dimension.dim_value = _checked_size(name, given[name])
    missing = [name for name in places if name not in given]
    if missing:
        for name in given:
            if name not in places:
                raise unknown_name(name, places)
        words = ", ".join(places[name] for name in missing)
        accepted = (
            f"given as whole numbers (--dim {missing[0]}=1) for all dimensions that the network leaves open: {words}"
        )
        raise ProblemError("dims", {name: given.get(name) for name in places}, accepted)
    return OpenDimensions(places, {name: _checked_size(name, given[name]) for name in given if name not in places})


def unknown_name(name: str, known: Iterable[str]) -> ProblemError:
    """The refusal of a size for a dimension that the network does not have, or that is not open."""
    names = ", ".join(known)
    accepted = f"one of the open dimensions {names}" if names else "left out: no dimension is open"
    return ProblemError("dims", name, accepted)


def _open_name(dimension: Any, tensor: str, axis: int) -> str | None:
    """What an open dimension is called; None for one that has a value. Some exporters write -1 or 0 for an open one."""
    if dimension.HasField("dim_value") and dimension.dim_value > 0:
        return None
    return printable(dimension.dim_param) or f"{printable(tensor)}.{axis}"


def _checked_size(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_OPEN_SIZE:
        raise ProblemError(f"dims.{name}", value, f"a whole number from 1 to {counted(MAX_OPEN_SIZE)}")
    return value
