"""Parameters of the SCAR engine."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.contract import EngineParams
from engines.cost.package_model import LatencyReading

Objective = Literal["edp", "latency", "energy", "weighted", "expression"]
Packing = Literal["greedy", "uniform"]
RootRule = Literal["published", "free"]
NodeRule = Literal["provisioned", "free"]
Search = Literal["exact", "greedy", "evolutionary"]
WeightLoading = Literal["once_per_window", "every_mini_batch"]


class ScarParams(EngineParams):
    """What to search for, how windows are cut, how latency is read and how much is evaluated."""

    objective: Objective = Field(
        "edp",
        title="Objective",
        description="What each window is optimised for: the published method picks the best schedule per window by it.",
        json_schema_extra={
            "group": "Search",
            "choices": {
                "edp": "Energy-delay product",
                "latency": "Latency",
                "energy": "Energy",
                "weighted": "Weighted sum",
                "expression": "Own expression",
            },
        },
    )
    latency_weight_per_s: float = Field(
        1.0,
        ge=0,
        le=1e12,
        title="Weight of latency",
        description="For the weighted sum: what a second counts.",
        json_schema_extra={"unit": "1/s", "group": "Search", "advanced": True},
    )
    energy_weight_per_j: float = Field(
        1.0,
        ge=0,
        le=1e12,
        title="Weight of energy",
        description="For the weighted sum: what a joule counts.",
        json_schema_extra={"unit": "1/J", "group": "Search", "advanced": True},
    )
    objective_expression: str = Field(
        "latency_s**2 * energy_j",
        title="Own expression",
        description="For the own expression: latency_s, energy_j, edp_js, numbers, + * / **, min, max, sqrt; it must rise with "
        "latency and energy and never be negative.",
        json_schema_extra={"group": "Search", "advanced": True},
    )
    search: Search = Field(
        "exact",
        title="Search of a window",
        description="Exact: all segmentations and paths, with a proof (a beam over a spread of paths beyond 12 chiplets). "
        "Greedy: as published, the best few segmentations. Evolutionary: as published for 6 x 6 chiplets.",
        json_schema_extra={
            "group": "Search",
            "choices": {
                "exact": "Exact, with a proof",
                "greedy": "Greedy, as published",
                "evolutionary": "Evolutionary, as published for 6 x 6",
            },
        },
    )
    n_splits: int = Field(
        4,
        ge=0,
        le=8,
        title="Window boundaries",
        description="Equally spaced boundaries over the slowest model's expected time; n boundaries make n + 1 time windows.",
        json_schema_extra={"unit": "splits", "group": "Windows"},
    )
    packing: Packing = Field(
        "greedy",
        title="Layers to windows",
        description="Greedy: Algorithm 1, by expected time. Uniform: equal numbers of layers, the published ablation.",
        json_schema_extra={
            "group": "Windows",
            "advanced": True,
            "choices": {"greedy": "Greedy packing (Algorithm 1)", "uniform": "Equal numbers of layers"},
        },
    )
    top_k: int = Field(
        4,
        ge=1,
        le=64,
        title="Segmentations kept per model",
        description="Best segmentations of each model alone that are combined with those of the others (heuristic 1); "
        "greedy search only.",
        json_schema_extra={"unit": "segmentations", "group": "Search"},
    )
    latency_reading: LatencyReading = Field(
        "fill_drain",
        title="Latency of a pipeline",
        description="How the segments of a model in a window add up.",
        json_schema_extra={
            "group": "Windows",
            "choices": {
                "fill_drain": "Fill and drain with mini-batches",
                "pipelined_maximum": "Slowest segment",
                "end_to_end": "Sum of all segments",
            },
        },
    )
    mini_batch: int = Field(
        1,
        ge=1,
        le=1024,
        title="Mini-batch",
        description="Samples that move through the pipeline together (fill and drain only); larger than a batch means the batch.",
        json_schema_extra={"unit": "samples", "group": "Windows"},
    )
    weight_loading: WeightLoading = Field(
        "once_per_window",
        title="Weights are loaded",
        description="Once per window, as the chapter assumes enough buffer, or again with every mini-batch.",
        json_schema_extra={
            "group": "Windows",
            "advanced": True,
            "choices": {"once_per_window": "Once per window", "every_mini_batch": "With every mini-batch"},
        },
    )
    root_rule: RootRule = Field(
        "published",
        title="Chiplets where a model may start",
        description="Published: chiplets with an off-chip interface and those where a model ended in the window before.",
        json_schema_extra={
            "group": "Search",
            "advanced": True,
            "choices": {"published": "Interface chiplets and earlier ends", "free": "Any chiplet"},
        },
    )
    node_rule: NodeRule = Field(
        "provisioned",
        title="Chiplets per model",
        description="Provisioned: at most the share that the expected effort gives (eq 4.2). Free: as many as help.",
        json_schema_extra={
            "group": "Search",
            "advanced": True,
            "choices": {"provisioned": "Shared by expected effort", "free": "Any number"},
        },
    )
    population: int = Field(
        10,
        ge=2,
        le=1000,
        title="Population",
        description="Segmentations per generation of the evolutionary search of a window.",
        json_schema_extra={"unit": "segmentations", "group": "Search", "advanced": True},
    )
    generations: int = Field(
        4,
        ge=1,
        le=1000,
        title="Generations",
        description="Generations of the evolutionary search of a window, the first population included.",
        json_schema_extra={"unit": "generations", "group": "Search", "advanced": True},
    )
    joint_states: int = Field(
        2_000_000,
        ge=0,
        le=1_000_000_000,
        title="States of the joint search",
        description="After so many states the exact search over all windows together ends with a gap instead of a proof.",
        json_schema_extra={"unit": "states", "group": "Search", "advanced": True},
    )
    evaluations: int = Field(
        4200,
        ge=100,
        le=1_000_000,
        title="Evaluations",
        description="Complete schedules that are scored, baselines included.",
        json_schema_extra={"unit": "schedules", "group": "Search"},
    )
    path_limit: int = Field(
        2000,
        ge=16,
        le=100_000,
        title="Paths per model and window",
        description="Paths of chiplets that are considered for one model in one window; a note says when more exist.",
        json_schema_extra={"unit": "paths", "group": "Search", "advanced": True},
    )
    baselines: bool = Field(
        True,
        title="Baselines",
        description="Also schedule on homogeneous packages of each dataflow and with one chiplet per model.",
        json_schema_extra={"group": "Search"},
    )
