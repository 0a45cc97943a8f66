"""Networks around attention as cases, each with the axes that may be left open when it is exported."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.engines.workloads.importing.attention_places import Conformer, LocalAttention, RelativePlaces, ShiftedScores
from tests.engines.workloads.importing.attention_sequences import (
    HEADS,
    WIDTH,
    Block,
    Decoder,
    EinsumAttention,
    Encoder,
    Fused,
    Generator,
    GroupedQuery,
    Library,
    LibraryEncoder,
    LibraryTransformer,
    LinearAttention,
    MaskedEncoder,
    RotaryOfPlaces,
    SelfAttention,
)
from tests.engines.workloads.importing.attention_vision import (
    Detection,
    MobileVision,
    PaddedWindows,
    PooledTokens,
    Pyramid,
    Unfolded,
    Vision,
    Windows,
)

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn = torch.nn

Axes = Mapping[str, Mapping[int, str]]


@dataclass(frozen=True)
class Case:
    """A network that can be exported.

    Attributes:
        make: the module.
        axes: name of an input -> axis -> name of its open dimension.
        traced: sizes of the open dimensions at the export.
        read: other sizes, with which the file is read.
        inputs: the inputs of such sizes.
        first_opset: the first that has the operators which the older exporter needs.
        prepared: whether a part computes on weights alone, which torch counts and we do not: it is done once, before any sample.
    """

    make: Callable[[], Any]
    axes: Axes
    traced: Mapping[str, int]
    read: Mapping[str, int]
    inputs: Callable[[Mapping[str, int]], tuple[Any, ...]]
    first_opset: int = 13
    prepared: bool = False


_STEPS: Axes = {"x": {0: "batch", 1: "steps"}}
_IDS: Axes = {"ids": {0: "batch", 1: "steps"}}
_IMAGE: Axes = {"image": {0: "batch", 2: "height", 3: "width"}}


def _steps(make: Callable[[], Any], first_opset: int = 13) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randn(sizes["batch"], sizes["steps"], WIDTH),)

    return Case(make, _STEPS, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs, first_opset)


def _blocks(attention: Callable[[], Any], first_opset: int = 13) -> Case:
    return _steps(lambda: Block(attention()), first_opset)


def _ids(make: Callable[[], Any]) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randint(0, 100, (sizes["batch"], sizes["steps"])),)

    return Case(make, _IDS, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs)


def _image(make: Callable[[], Any], traced: int = 32, read: tuple[int, int] = (24, 16), first_opset: int = 13) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randn(sizes["batch"], 3, sizes["height"], sizes["width"]),)

    sizes = {"batch": 2, "height": traced, "width": traced + 8}
    return Case(make, _IMAGE, sizes, {"batch": 3, "height": read[0], "width": read[1]}, inputs, first_opset)


def _pair(make: Callable[[], Any], first: str, second: str, first_opset: int = 13) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (
            torch.randn(sizes["batch"], sizes["steps"], WIDTH),
            torch.randn(sizes["batch"], sizes["length"], WIDTH),
        )

    axes = {first: {0: "batch", 1: "steps"}, second: {0: "batch", 1: "length"}}
    traced, read = {"batch": 2, "steps": 10, "length": 7}, {"batch": 3, "steps": 14, "length": 9}
    return Case(make, axes, traced, read, inputs, first_opset)


def _generator() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        past = (sizes["batch"], HEADS, sizes["past"], WIDTH // HEADS)
        return (torch.randn(sizes["batch"], sizes["steps"], WIDTH), torch.randn(past), torch.randn(past))

    earlier = {0: "batch", 2: "past"}
    axes = {**_STEPS, "keys": earlier, "values": earlier}
    return Case(Generator, axes, {"batch": 2, "steps": 3, "past": 10}, {"batch": 3, "steps": 2, "past": 17}, inputs)


def _masked() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        shape = (sizes["batch"], sizes["steps"])
        return torch.randint(0, 100, shape), torch.ones(shape, dtype=torch.int64)

    axes = {**_IDS, "mask": {0: "batch", 1: "steps"}}
    return Case(MaskedEncoder, axes, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs)


def _places() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        places = torch.arange(sizes["steps"]).repeat(sizes["batch"], 1)
        return torch.randn(sizes["batch"], sizes["steps"], WIDTH), places

    axes = {**_STEPS, "places": {0: "batch", 1: "steps"}}
    return Case(RotaryOfPlaces, axes, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs)


def _frames() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randn(sizes["batch"], sizes["steps"], 16),)

    return Case(Conformer, _STEPS, {"batch": 2, "steps": 21}, {"batch": 3, "steps": 33}, inputs)


CASES: Mapping[str, Case] = {
    "hand-written block": _blocks(SelfAttention),
    "encoder of words": _ids(lambda: Encoder(SelfAttention)),
    "encoder of words, library": replace(_ids(lambda: Encoder(Library)), first_opset=14),
    "masked encoder": _masked(),
    "library, with weights": _blocks(lambda: Library(weights=True)),
    "library, steps first": _blocks(lambda: Library(batch_first=False), 14),
    "library encoder": _steps(LibraryEncoder, 14),
    "library encoder, norm last": _steps(lambda: LibraryEncoder(norm_first=False), 14),
    "library transformer": _pair(LibraryTransformer, "source", "target", 14),
    "fused": _blocks(Fused, 14),
    "fused, causal": _blocks(lambda: Fused(causal=True), 14),
    "einsum": _blocks(EinsumAttention),
    "linear attention": _steps(LinearAttention),
    "grouped queries, expanded": _steps(GroupedQuery, 14),
    "grouped queries, repeated": _steps(lambda: GroupedQuery(repeat=True), 14),
    "rotary places": _places(),
    "generator with past": _generator(),
    "decoder": _pair(Decoder, "x", "memory", 14),
    "relative places": _steps(RelativePlaces),
    "shifted scores": replace(_steps(ShiftedScores), prepared=True),
    "conformer": replace(_frames(), prepared=True),
    "local attention": _steps(LocalAttention),
    "vision": _image(Vision),
    "vision, places stretched": _image(lambda: Vision(stretched=True)),
    "windows": _image(lambda: nn.Sequential(nn.Conv2d(3, WIDTH, 2, 2), Windows())),
    "windows of a padded picture": _image(PaddedWindows, read=(28, 20)),
    "mobile vision": _image(MobileVision),
    "unfolded": _image(Unfolded),
    "detection": replace(_image(Detection, first_opset=14), prepared=True),
    "pyramid": _image(Pyramid, first_opset=14),
    "pooled tokens": _image(PooledTokens),
}


def exported(case: Case, sizes: Mapping[str, int], *, opset: int, dynamo: bool, open_axes: bool) -> bytes:
    """The file that one of the exporters of torch writes.

    Args:
        case: the network.
        sizes: of the dimensions in the example that is traced.
        opset: version of the operators.
        dynamo: the newer exporter, in place of the one that traces TorchScript.
        open_axes: whether the dimensions stay open in the file.
    """
    out, names = io.BytesIO(), list(case.axes)
    torch.manual_seed(0)
    module, inputs = case.make().eval(), case.inputs(sizes)
    axes: dict[str, Any] = {}
    if open_axes and dynamo:
        axes = {"dynamic_shapes": tuple(dict(case.axes[name]) for name in names)}
    elif open_axes:
        axes = {"dynamic_axes": {name: dict(each) for name, each in case.axes.items()}}
    settings = {"input_names": names, "opset_version": opset, **axes}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        if dynamo:
            torch.onnx.export(module, inputs, dynamo=True, verbose=False, **settings).save(out)
        else:
            torch.onnx.export(module, inputs, out, dynamo=False, **settings)
    return out.getvalue()
