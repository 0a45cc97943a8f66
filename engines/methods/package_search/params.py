"""Parameters of the package search."""

from __future__ import annotations

import re
from copy import copy
from typing import Any, Literal, get_args

from pydantic import Field, field_validator
from pydantic.config import JsonDict

from engines.chiplets.params import (
    NodeRule,
    OutputStationaryMapping,
    Packing,
    RootRule,
    ScheduleParams,
    WeightLoading,
)
from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch
from engines.cost.device_fields import BitsName
from engines.cost.estimators.registry import CostModelName
from engines.cost.package.model import DramRule, LatencyReading
from engines.search.search_fields import evaluations_field, population_field
from hardware.package.schema import SIDES

Method = Literal["auto", "exhaustive", "evolutionary"]
Schedules = Literal["windows", "joint"]
ScheduleGoal = Literal["edp", "latency", "energy"]
GOALS: tuple[ScheduleGoal, ...] = get_args(ScheduleGoal)
OBJECTIVE_COLUMNS = {
    "latency": "latency_s",
    "energy": "energy_j",
    "edp": "edp_js",
    "area": "area_mm2",
    "cost": "cost_usd",
}
SCHEDULE_PARAMS = (
    "n_splits", "packing", "latency_reading", "mini_batch", "weight_loading", "output_stationary_mapping", "dram_rule", "root_rule",
    "node_rule", "bits", "cost_model", "cost_table", "joint_states", "path_limit",
)  # fmt: skip
ANY_SIDES = "any"

_LEAST_PES, _MOST_PES = 16, 1_048_576
_MOST_VALUES = 12


def _of_schedules(name: str) -> Any:
    """Return the field of the parameters of schedules with its words, bounds and default."""
    field = copy(ScheduleParams.model_fields[name])
    extra = field.json_schema_extra
    if isinstance(extra, dict):
        field.json_schema_extra = {**extra, "group": "Schedules"}
    return field


def _list(title: str, unit: str, description: str) -> Any:
    """Return several values in one text, so that forms, command line and interface take them alike."""
    extra: JsonDict = {"group": "Package", "unit": unit}
    return Field("", max_length=300, title=title, description=description, json_schema_extra=extra)


class PackageSearchParams(EngineParams):
    """The choices that may vary, their limits, the objectives, and how much is scheduled."""

    vary_dataflow: bool = switch(
        True, "Vary the dataflow", "Package", "Every chiplet may have any dataflow; off: as in the given package."
    )
    processing_elements: str = _list(
        "Processing elements",
        "PEs per chiplet",
        "Counts to choose from, apart by commas (256, 1024, 4096). Empty: as in the given package.",
    )
    mixed_sizes: bool = for_experts(
        switch(False, "Mixed sizes", "Package", "Chiplets of one package may differ in their processing elements.")
    )
    link_bandwidth_gb_per_s: str = for_experts(
        _list(
            "Link bandwidth",
            "GB/s",
            "Bandwidths of a link and direction to choose from, apart by commas. Empty: as in the given package.",
        )
    )
    memory_bandwidth_gb_per_s: str = for_experts(
        _list(
            "Memory bandwidth",
            "GB/s per interface",
            "Bandwidths of a memory interface to choose from, apart by commas. Empty: as in the given package.",
        )
    )
    interface_sides: str = for_experts(
        _list(
            "Interface sides",
            "",
            "Sides with memory interfaces to choose from, apart by commas (left+right, left), or any. Empty: as in the given "
            "package.",
        )
    )
    max_area_mm2: float | None = limit("mm²", 1e6, "Silicon area, at most", "Packages with more silicon are left out.")
    max_processing_elements: int | None = for_experts(
        number(
            None,
            (_LEAST_PES, 10**9),
            "PEs",
            "Processing elements in all, at most",
            "Limits",
            "Packages with more of them are left out. Empty: no limit.",
        )
    )
    minimise_latency: bool = switch(
        True, "Minimise latency", "Objectives", "On: an objective of the front. Every package is scheduled for it."
    )
    minimise_energy: bool = switch(
        True, "Minimise energy", "Objectives", "On: an objective of the front. Every package is scheduled for it."
    )
    minimise_edp: bool = switch(
        True,
        "Minimise EDP",
        "Objectives",
        "Every package is scheduled for the energy-delay product; it spans the front unless both latency and energy do.",
    )
    minimise_area: bool = switch(
        True, "Minimise silicon area", "Objectives", "On: an objective of the front. Schedules do not change it."
    )
    minimise_cost: bool = for_experts(switch(
        False, "Minimise the cost of a system", "Objectives",
        "On: an objective of the front, which needs silicon costs. Schedules do not change it.",
    ))  # fmt: skip
    systems: float = for_experts(
        number(
            1e6,
            (1, 1e12),
            "systems",
            "Systems made",
            "Objectives",
            "Number of working systems that share the one-time costs. It needs silicon costs.",
        )
    )
    method: Method = choice(
        "auto",
        "Method",
        "Search",
        {"auto": "Automatic", "exhaustive": "Exhaustive", "evolutionary": "NSGA-II"},
        "Exhaustive: all packages up to symmetry in the order of their bounds, as far as the evaluations go. "
        "Evolutionary: NSGA-II. Automatic: exhaustive up to 20,000 packages.",
    )
    evaluations: int = evaluations_field(
        2000, (10, 20_000), "schedules",
        "Largest number of schedules that are searched, each of one package for one objective.",
    )  # fmt: skip
    least_gain_percent: float = number(
        0.0,
        (0, 50),
        "%",
        "Gain that counts",
        "Search",
        "The exhaustive search leaves out packages whose advantage is below this value in every objective. "
        "0: it leaves out none.",
        advanced=True,
    )
    population: int = population_field(
        40, (4, 400), "packages", "Packages with an objective per generation of NSGA-II."
    )
    schedules: Schedules = for_experts(
        choice(
            "windows",
            "Schedule of a package",
            "Schedules",
            {"windows": "Window by window", "joint": "All windows together"},
            "Time window by time window, each proven best from the end of the one before. Or then over all "
            "time windows together, several times slower.",
        )
    )
    baselines: bool = for_experts(
        switch(
            True, "Baselines", "Search", "Also schedule the given package, homogeneous ones and the published patterns."
        )
    )
    n_splits: int = for_experts(_of_schedules("n_splits"))
    packing: Packing = for_paper(_of_schedules("packing"))
    latency_reading: LatencyReading = for_paper(_of_schedules("latency_reading"))
    mini_batch: int = for_experts(_of_schedules("mini_batch"))
    weight_loading: WeightLoading = for_paper(_of_schedules("weight_loading"))
    output_stationary_mapping: OutputStationaryMapping = for_paper(_of_schedules("output_stationary_mapping"))
    dram_rule: DramRule = for_paper(_of_schedules("dram_rule"))
    root_rule: RootRule = for_paper(_of_schedules("root_rule"))
    node_rule: NodeRule = for_paper(_of_schedules("node_rule"))
    bits: BitsName = for_experts(_of_schedules("bits"))
    cost_model: CostModelName = _of_schedules("cost_model")
    cost_table: str = _of_schedules("cost_table")
    ignore_memory: bool = _of_schedules("ignore_memory")
    joint_states: int = _of_schedules("joint_states")
    path_limit: int = _of_schedules("path_limit")

    @field_validator(
        "processing_elements", "link_bandwidth_gb_per_s", "memory_bandwidth_gb_per_s", "interface_sides", mode="before"
    )
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        """Accept lists and numbers as well as text."""
        if isinstance(value, list | tuple):
            return ", ".join(str(part) for part in value)
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    @field_validator("processing_elements")
    @classmethod
    def _check_counts(cls, value: str) -> str:
        for part in split_list(value):
            if not part.isdigit() or not _LEAST_PES <= int(part) <= _MOST_PES:
                raise ValueError(f"whole numbers from {_LEAST_PES} to {_MOST_PES}, apart by commas; {part!r} is none")
        return _few(value)

    @field_validator("link_bandwidth_gb_per_s", "memory_bandwidth_gb_per_s")
    @classmethod
    def _check_bandwidths(cls, value: str) -> str:
        for part in split_list(value):
            if not re.fullmatch(r"\d+(\.\d*)?([eE][+-]?\d+)?", part) or not 0 < float(part) <= 1e6:
                raise ValueError(f"numbers above 0 and up to 1e6, apart by commas; {part!r} is none")
        return _few(value)

    @field_validator("interface_sides")
    @classmethod
    def _check_sides(cls, value: str) -> str:
        for part in split_list(value):
            sides = part.split("+")
            if part != ANY_SIDES and (set(sides) - set(SIDES) or len(set(sides)) != len(sides)):
                raise ValueError(f"{', '.join(SIDES)} joined by + (left+right), or {ANY_SIDES}, not {part!r}")
        return value


def split_list(text: str) -> list[str]:
    """Return the parts of a list in one text, without blanks and empty ones."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _few(value: str) -> str:
    if len(split_list(value)) > _MOST_VALUES:
        raise ValueError(f"at most {_MOST_VALUES} values")
    return value


def objectives(params: PackageSearchParams) -> tuple[str, ...]:
    """Return the objectives of the front: keys of `OBJECTIVE_COLUMNS`, in its order.

    A product adds no design to a front over its factors and would only count them twice.
    """
    names = _wanted(params)
    return tuple(name for name in names if name != "edp" or not {"latency", "energy"} <= set(names))


def objective_columns(params: PackageSearchParams) -> tuple[str, ...]:
    """Return the columns that span the front, in the order of `objectives`."""
    return tuple(OBJECTIVE_COLUMNS[name] for name in objectives(params))


def schedule_goals(params: PackageSearchParams) -> tuple[ScheduleGoal, ...]:
    """Return the objectives of the schedules, the most important first; EDP if only the area is an objective."""
    return tuple(goal for goal in GOALS if goal in _wanted(params)) or ("edp",)


def _wanted(params: PackageSearchParams) -> tuple[str, ...]:
    return tuple(name for name in OBJECTIVE_COLUMNS if getattr(params, f"minimise_{name}"))


def schedule_params(params: PackageSearchParams) -> ScheduleParams:
    """Return the parameters of the schedules.

    Chiplets are shared out by the first goal in all of them, as in a run on a given package.
    """
    shared = {name: getattr(params, name) for name in SCHEDULE_PARAMS}
    return ScheduleParams(objective=schedule_goals(params)[0], **shared)
