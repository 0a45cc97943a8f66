"""Profiles as measured lines: every microsecond is of some operation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.cost.profiles.measured_profile import Profile, measured_lines, operation_times
from engines.cost.soc.operations import operation_table
from engines.workloads.loader import builtin_network

NETWORK = builtin_network("squeezenet1-1")
NAMES = [operation.name for operation in NETWORK.operations if operation.kind not in ("activation", "reshape")]


TIMES_US = st.lists(st.floats(1, 1e5), min_size=len(NAMES), max_size=len(NAMES))


def named_nodes(times_us: list[float]) -> list[tuple[str, str, float]]:
    """A node per operation, each with the name that the runtime gives it."""
    names = {operation.name for operation in NETWORK.operations}
    endings = [":act:0_nchwc" if f"{name}:act" in names else "_nchwc" for name in NAMES]
    return [(name + ending, "Conv", time) for name, ending, time in zip(NAMES, endings, times_us, strict=True)]


@given(TIMES_US, st.floats(1e-4, 1), st.integers(0, len(NAMES)), st.floats(0, 0.99))
def test_the_times_of_all_operations_add_up_to_the_latency(
    times_us: list[float], latency_s: float, at: int, nameless_share: float
) -> None:
    nodes = named_nodes(times_us)
    nodes.insert(at, ("", "ReorderInput", nameless_share * sum(times_us)))  # less than what has a name
    found = operation_times(Profile(NETWORK.slug, latency_s, tuple(nodes)), NETWORK)
    assert sum(each.latency_s for each in found) == pytest.approx(latency_s)
    places = [place for each in found for place in each.places]
    table = operation_table(NETWORK.operations)
    assert sorted(places) == [place for place, runs in enumerate(table.runs) if runs], "each operation once"


@pytest.mark.parametrize(("nameless_us", "ours"), [(0.0, True), (3_800.0, True), (3_801.0, False), (1e6, False)])
def test_half_of_the_time_is_of_named_nodes(nameless_us: float, ours: bool) -> None:
    nodes = (*named_nodes([100.0] * len(NAMES)), ("", "ReorderInput", nameless_us))
    profile = Profile(NETWORK.slug, 1e-2, nodes)
    if ours:
        assert sum(each.latency_s for each in operation_times(profile, NETWORK)) == pytest.approx(1e-2)
    else:
        with pytest.raises(ProblemError, match=f"3800 of {3_800 + nameless_us:.0f} µs"):
            operation_times(profile, NETWORK)


def test_names_of_a_runtime_are_read() -> None:
    network = builtin_network("swin-t")
    nodes = (
        ("patches:0_nchwc", "Conv", 100.0),
        ("ReorderOutput", "ReorderOutput", 10.0),
        ("patches.norm//reshape-tokens", "Transpose", 5.0),
        ("patches.norm", "LayerNormalization", 20.0),
        ("stage1.0.norm1", "LayerNormalization", 20.0),
        ("gemm_input_reshape", "Reshape", 1.0),
        ("stage1.0.attention.query_key_value/MatMulAddFusion", "Gemm", 500.0),
        ("stage1.0.attention.projection/MatMulAddFusion", "Gemm", 200.0),
        ("SkipLayerNormalization", "SkipLayerNormalization", 40.0),
    )
    found = operation_times(Profile("swin-t", 896e-6, nodes), network)
    table = operation_table(network.operations)
    by_name = {table.names[each.places[-1]]: 1e6 * each.latency_s for each in found[:-1]}
    assert by_name["patches"] == pytest.approx(100)
    assert by_name["patches.norm"] == pytest.approx(35), (
        "a change to the plain layout is for what has no blocked kernel"
    )
    # The addition and the normalisation that are one node are one line, with what else has none after it.
    last = [table.names[place] for place in found[-1].places]
    assert last[:2] == ["stage1.0.add1", "stage1.0.norm2"] and found[-1].latency_s == pytest.approx(40e-6)


def test_fused_nodes_without_a_name_are_the_next_of_their_kind() -> None:
    network = builtin_network("mobilenet-v3-small")
    nodes = (("stem:act:0_nchwc", "Conv", 100.0), ("", "FusedGemm", 30.0), ("classifier.3", "Gemm", 40.0))
    found = operation_times(Profile(network.slug, 170e-6, nodes), network)
    table = operation_table(network.operations)
    assert {table.names[each.places[-1]]: round(1e6 * each.latency_s) for each in found} == {
        "stem": 100, "classifier.0": 30, "classifier.3": 40,
    }  # fmt: skip


def test_lines_count_by_their_share_of_the_time() -> None:
    nodes = tuple((name, "Conv", 100.0) for name in NAMES)
    *lines, whole = measured_lines(Profile(NETWORK.slug, 1e-4 * len(NAMES), nodes), NETWORK)
    counting = sum((whole.deviation or 0) ** 2 / (line.deviation or 1) ** 2 for line in lines)
    assert counting == pytest.approx(1), "all lines together as much as the whole"


def test_lines_are_long_enough_and_alike_ones_stand_once() -> None:
    nodes = tuple((name, "Conv", 2.0 if "pool" in name else 100.0) for name in NAMES)
    lines = measured_lines(Profile(NETWORK.slug, 2.3e-3, nodes), NETWORK)
    assert lines[-1].layers == () and lines[-1].latency_ms == pytest.approx(2.3)
    named = [name for line in lines[:-1] for name in line.layers]
    assert len(named) == len(set(named)) < len(NAMES)
    assert not any("pool1" in name for name in named), "2 µs tell nothing"
    assert all(line.workload == NETWORK.slug and line.unit == "cpu" for line in lines)


def test_a_profile_of_another_network_is_refused() -> None:
    with pytest.raises(ProblemError, match="nodes are operations of squeezenet1-1"):
        operation_times(Profile(NETWORK.slug, 1e-3, (("layer9.conv", "Conv", 100.0),)), NETWORK)
