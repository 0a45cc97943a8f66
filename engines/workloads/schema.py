"""Schemas `network/1` and `scenario/1`: the keys and values of workload documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NETWORK_SCHEMA = "network/1"
SCENARIO_SCHEMA = "scenario/1"
MAX_MODELS = 26
MAX_OPERATIONS = 20_000
# Of all networks of a scenario together, each counted as often as it is named: forms, plans and pages load them while people wait.
MAX_SCENARIO_OPERATIONS = 20_000

OperationKind = Literal[
    "conv",
    "depthwise",
    "transposed_conv",
    "gemm",
    "matmul",
    "batchnorm",
    "activation",
    "pool",
    "norm",
    "softmax",
    "eltwise",
    "concat",
    "reshape",
    "resize",
    "reduce",
    "gather",
    "topk",
    "embedding",
    "unpriced",
]
Size = Annotated[int, Field(ge=1, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0, le=10**15)]
Bits = Annotated[float, Field(gt=0, le=64)]
Source = Annotated[int, Field(ge=-1, le=MAX_OPERATIONS)]
Pad = Annotated[int, Field(ge=0, le=10_000)]
Words = Annotated[str, Field(min_length=1, max_length=2000)]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class OperationSection(_Section):
    """One operation. What is left out is computed from the dimensions, or 1 (sizes) and 0 (padding)."""

    name: Words
    kind: OperationKind
    k: Size = Field(default=1, description="Output channels, of all groups together.")
    c: Size = Field(default=1, description="Input channels, of all groups together.")
    r: Size = Field(default=1, description="Kernel height.")
    s: Size = Field(default=1, description="Kernel width.")
    y: Size = Field(default=1, description="Input height without padding; rows of a GEMM.")
    x: Size = Field(default=1, description="Input width without padding.")
    stride: Size | list[Size] = Field(
        default=1, description="Step of the kernel: one number, or two for height and width."
    )
    dilation: Size | list[Size] = Field(
        default=1,
        description="Inputs from one weight of the kernel to the next: one number, or two for height and width.",
    )
    pad: Pad | list[Pad] = Field(
        default=0,
        description="Zeros on each side, from 0. One number, two for height and width, or four for top, bottom, left "
        "and right.",
    )
    output_pad: Pad | list[Pad] = Field(
        default=0,
        description="Rows and columns that a transposed convolution adds at the end: one number, or two for height and width.",
    )
    groups: Size | None = Field(
        default=None, description="Independent groups of channels: 1, or `c` for a depthwise kind."
    )
    repeats: Size = Field(default=1, description="Identical independent products (attention heads).")
    macs: Count | None = Field(default=None, description="Multiply-accumulates of one sample.")
    weight_elements: Count | None = Field(default=None, description="Weights with bias.")
    input_elements: Count | None = Field(default=None, description="Elements read, without weights.")
    output_elements: Count | None = Field(default=None, description="Elements written.")
    reads: Annotated[list[Source], Field(max_length=1000)] | None = Field(
        default=None,
        description="Numbers, from 0, of the operators whose results it reads; -1 is the network's input. Left out: "
        "the operator before. Empty: the input alone.",
    )
    shared_weights: Annotated[dict[Words, Size], Field(max_length=100)] | None = Field(
        default=None,
        description="Weights of this operation that others use as well: name and elements of each. Each counts once.",
    )
    weight_bits: Bits | None = Field(
        default=None, description="Bits that each weight takes in memory, with its share of scales and zero points."
    )
    activation_bits: Bits | None = Field(default=None, description="Bits of each element of inputs and results.")
    operator: Words | None = Field(
        default=None, description="Name of an `unpriced` operator in the source of the network."
    )
    excluded: bool = Field(
        default=False, description="Whether engines may leave out an `unpriced` operator, at no cost."
    )


class NetworkDocument(_Section):
    """A workload document of schema `network/1`."""

    schema_name: Literal["network/1"] = Field(alias="schema", title="Schema")
    slug: Slug
    title: Words
    short_title: Annotated[str, Field(min_length=1, max_length=12)] = Field(
        title="Short title", description="For narrow places in pictures: at most 12 letters."
    )
    summary: str = Field(default="", max_length=2000)
    source: Words = Field(description="Where the network is from.")
    operations: Annotated[list[OperationSection], Field(min_length=1, max_length=MAX_OPERATIONS)] = Field(
        description="In topological order."
    )
    weight_bits: Annotated[int, Field(ge=1, le=64)] | None = Field(
        default=None,
        description="Fewest bits per stored weight in the file. A note says where costs assume more.",
    )
    results: Annotated[dict[Words, Words], Field(max_length=MAX_OPERATIONS)] | None = Field(
        default=None,
        description="Name of a tensor in the file that the network is from -> name of the operation that gives it. "
        "Profiles of onnxruntime name convolutions so.",
    )
    configuration: dict[str, Any] | None = Field(
        default=None,
        description="config.json of the language model whose prompt the network reads. Surveys estimate conversations with it.",
    )


class ScenarioModelSection(_Section):
    """One model of a scenario."""

    network: str | dict[str, Any] = Field(description="Slug of a built-in network, or a whole network/1 document.")
    batch: int = Field(ge=1, le=65_536, description="Samples that run.")
    rate_fps: float | None = Field(
        default=None,
        gt=0,
        le=1_000_000,
        title="Rate",
        description="Samples per second that must be processed; left out where nothing asks for a rate.",
        json_schema_extra={"unit": "fps"},
    )
    deadline_s: float | None = Field(
        default=None,
        gt=0,
        le=1_000_000,
        title="Deadline",
        description="Time from the arrival of a batch within which its results are needed; left out without a deadline.",
        json_schema_extra={"unit": "s"},
    )
    priority: int | None = Field(
        default=None, ge=1, le=MAX_MODELS, description="1 is served first; models may share a number."
    )
    probability: float | None = Field(
        default=None, gt=0, le=1, description="Share of the samples for which the model runs at all; 1 by default."
    )
    depends_on: str | None = Field(
        default=None, description="Slug of the network of this scenario whose output it waits for."
    )
    network_sha256: str | None = Field(
        default=None, description="Hash of the network's content that the scenario was stored with; checked when given."
    )


class ScenarioDocument(_Section):
    """A workload document of schema `scenario/1` (odema-2024 Def. 4.1)."""

    schema_name: Literal["scenario/1"] = Field(alias="schema", title="Schema")
    slug: Slug
    title: Words
    summary: str = Field(default="", max_length=2000)
    source: Words
    models: Annotated[list[ScenarioModelSection], Field(min_length=1, max_length=MAX_MODELS)] = Field(
        description="The models that run at the same time."
    )
