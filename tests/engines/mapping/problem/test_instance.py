"""A device of the catalogue with more bandwidth or a higher clock never makes any mapping slower, whatever its costs come from."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import ClockSettings
from engines.documents.builtin import builtin_documents, get_builtin
from engines.documents.problems import make_problem
from engines.mapping.problem.instance import Instance
from engines.methods.soc_mapping.problem.instance import instance_of
from hardware.soc.loader import builtin_socs

# Convolutions, depthwise ones, products, a graph network; the whole catalogue is a long test.
SAMPLE = ("resnet18", "mobilenet-v3-small", "bert-base-128", "magnas-vig-s-gin", "alexnet")
ROUNDING = 1e-9
Content = dict[str, Any]


def fresh(slug: str) -> Content:
    """A copy of a built-in device under a name of its own."""
    return {**copy.deepcopy(dict(builtin_socs()[slug])), "slug": "faster"}


def faster(content: Content, factor: float) -> Iterator[Content]:
    """Copies with one thing more each: bandwidth, a higher step of one clock after the others or in place of the highest."""
    if "memory" in content:
        wider = copy.deepcopy(content)
        for stated in {"bytes_per_cycle", "bandwidth_gb_per_s"} & wider["memory"].keys():
            wider["memory"][stated] *= factor
        yield wider
        if "frequencies_mhz" in content["memory"]:
            yield from _clocked(content, ("memory",), factor)
    for name, unit in content.get("units", {}).items():
        if unit.get("frequencies_mhz"):
            yield from _clocked(content, ("units", name), factor)
        if "dataflow" in unit:
            wider = copy.deepcopy(content)
            wider["units"][name]["dataflow"]["bandwidth_elements_per_cycle"] *= factor
            yield wider


def _clocked(content: Content, path: tuple[str, ...], factor: float) -> Iterator[Content]:
    for kept in (0, 1):
        clocked = copy.deepcopy(content)
        section: Any = clocked
        for key in path:
            section = section[key]
        highest = section["frequencies_mhz"][-1] * factor
        for precision in section.get("peak_tera_operations_per_s", ()):  # of the highest clock
            section["peak_tera_operations_per_s"][precision] *= factor
        section["frequencies_mhz"] = [
            *section["frequencies_mhz"][: len(section["frequencies_mhz"]) - 1 + kept],
            highest,
        ]
        yield clocked


def on_device(content: Content, workload: str) -> Instance | None:
    """Its costs at the highest clocks; None where not even the data sheet is enough."""
    hardware = Document("hardware", content["slug"], 1, content)
    inputs = {"hardware": hardware, "workload": get_builtin("workload", workload)}
    try:
        problem = make_problem("soc-mapping", inputs, {"unmeasured": "datasheet"})
        return instance_of(problem, highest_clocks_alone=True)
    except ProblemError:
        return None


def assert_never_slower(slug: str, workload: str, factor: float) -> int:
    """Compares every faster copy with the built-in device; how many copies were estimated."""
    original = on_device(dict(builtin_socs()[slug]), workload)
    checked = 0
    for content in faster(fresh(slug), factor):
        found = on_device(content, workload)
        assert (found is None) == (original is None)
        if found is None or original is None:
            continue
        assert found.units == original.units
        checked += 1
        clocks = common_setting(original, found)
        pairs = ((original.costs, found.costs), (original.costs_at(clocks), found.costs_at(clocks)))
        for before, after in pairs:
            for name in ("latency_s", "handover_s"):
                old, new = getattr(before, name), getattr(after, name)
                assert (np.isinf(new) | (new <= old * (1 + ROUNDING))).all(), (
                    slug,
                    workload,
                    name,
                    float(np.nanmax(new / old)),
                )
                assert (np.isfinite(new) == np.isfinite(old)).all()
    return checked


def common_setting(original: Instance, found: Instance) -> ClockSettings:
    """The highest step of every clock that both have; the original's highest where there is none."""
    chosen = {}
    for name in original.settings.frequencies_hz:
        before, after = (
            soc.memory.frequencies_hz if name == "memory" and soc.memory else soc.units[name].frequencies_hz
            for soc in (original.soc, found.soc)
        )
        chosen[name] = ([step for step in before if step in after] or before)[-1:]
    return ClockSettings({name: np.array(steps) for name, steps in chosen.items()})


@settings(max_examples=8, deadline=None)
@given(
    slug=st.sampled_from(sorted(builtin_socs())),
    workload=st.sampled_from(SAMPLE),
    factor=st.floats(1.01, 8, allow_nan=False),
)
def test_more_bandwidth_or_a_higher_clock_never_makes_a_mapping_slower(slug: str, workload: str, factor: float) -> None:
    assert_never_slower(slug, workload, factor)


@pytest.mark.parametrize("slug", ["jetson-agx-xavier", "jetson-tx2", "snapdragon-855", "three-dataflow-accelerators"])
def test_devices_that_can_be_estimated_are_compared(slug: str) -> None:
    assert assert_never_slower(slug, "resnet18", 2.0) >= 3


@pytest.mark.long
@pytest.mark.parametrize("slug", sorted(builtin_socs()))
@pytest.mark.parametrize("factor", [1.1, 2.0])
def test_that_holds_for_the_whole_catalogue(slug: str, factor: float) -> None:
    for workload in builtin_documents("workload"):
        assert_never_slower(slug, workload, factor)
