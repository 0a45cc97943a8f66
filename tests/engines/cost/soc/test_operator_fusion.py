"""Operators that run as one kernel, against sums by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable, operation_table
from engines.cost.soc.operator_fusion import Fusion, fused_table
from engines.workloads.loader import builtin_network, load_network
from tests.engines.cost.soc_for_tests import ALL_KINDS, board, calibration, network_content

N, ROWS = 10_000, 100  # elements of the tensor, rows of it


def _row(name: str, kind: str, *reads: int, read: int = N, written: int = N, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "reads": list(reads),
        "input_elements": read,
        "output_elements": written,
        **more,
    }


def _gemm(name: str, *reads: int) -> dict[str, Any]:
    return {"name": name, "kind": "gemm", "k": 100, "c": 100, "y": 100, "reads": list(reads)}


def _product(name: str, *reads: int) -> dict[str, Any]:
    return {"name": name, "kind": "matmul", "k": 100, "c": 100, "y": 100, "reads": list(reads)}


# x * (1 + erf(x / sqrt 2)) * 0.5 between two products, as torch exports it.
GELU = [
    _gemm("in"), _row("div", "eltwise", 0), _row("erf", "activation", 1), _row("one", "eltwise", 2),
    _row("mul", "eltwise", 0, 3, read=2 * N), _row("half", "eltwise", 4), _gemm("out", 5),
]  # fmt: skip
# (x - mean) / sqrt(mean((x - mean)^2) + eps) * scale + shift, x is read again by a residual addition.
NORM = [
    _gemm("in"), _row("mean", "reduce", 0, written=ROWS), _row("sub", "eltwise", 0, 1, read=N + ROWS),
    _row("square", "eltwise", 2), _row("variance", "reduce", 3, written=ROWS),
    _row("eps", "eltwise", 4, read=ROWS, written=ROWS), _row("root", "activation", 5, read=ROWS, written=ROWS),
    _row("divide", "eltwise", 2, 6, read=N + ROWS), _row("scale", "eltwise", 7, weight_elements=100),
    _row("shift", "eltwise", 8, weight_elements=100), _gemm("next", 9), _row("residual", "eltwise", 0, 10, read=2 * N),
]  # fmt: skip
ATTENTION = [
    _gemm("q"), _gemm("k"), _gemm("v"), _row("transpose", "reshape", 1), _product("scores", 0, 3),
    _row("scale", "eltwise", 4), _row("softmax", "softmax", 5), _product("context", 6, 2), _gemm("out", 7),
]  # fmt: skip


def _fused(rows: list[dict[str, Any]], fusion: Fusion, starts: tuple[int, ...] = ()) -> OperationTable:
    operations = load_network(network_content(*rows)).operations
    return fused_table(operation_table(operations), operations, fusion, starts)


def _running(table: OperationTable) -> list[str]:
    return [name for name, runs in zip(table.names, table.runs, strict=True) if runs]


def test_gelu_of_five_operators_is_one_launch_that_reads_once_and_writes_once() -> None:
    found = _fused(GELU, "elementwise")
    assert _running(found) == ["in", "div", "out"]
    assert (found.activation_elements[1], found.launches[1], found.kinds[1]) == (2 * N, 1, "eltwise + activation")
    plain = _fused(GELU, "none")
    assert plain.activation_elements[1:6].sum() == 11 * N and plain.runs.all()
    covered = replace(calibration(), covered={"gpu": ALL_KINDS | {"activation"}})
    cost = [
        SocCostModel(board(), covered).costs(each, highest_clocks(board()), units=["gpu"]).latency_s.sum()
        for each in (plain, found)
    ]
    # Four launches of 10 us, and nine times as many elements of 2 B at half of 20 GB/s.
    assert cost[0] - cost[1] == pytest.approx(4 * 10e-6 + 9 * N * 2 / 1e10)


def test_a_norm_that_is_written_out_is_one_launch() -> None:
    found = _fused(NORM, "elementwise")
    assert _running(found) == ["in", "mean", "next", "residual"]
    assert (found.activation_elements[1], found.weight_elements[1], found.launches[1]) == (2 * N, 200, 1)
    assert found.kinds[1] == "reduce + eltwise + activation"


def test_attention_is_one_launch_where_that_is_asked_for() -> None:
    assert _running(_fused(ATTENTION, "elementwise")) == _running(_fused(ATTENTION, "none"))
    plain, found = _fused(ATTENTION, "none"), _fused(ATTENTION, "attention")
    assert _running(found) == ["q", "k", "v", "scores", "out"]
    assert found.macs[4] == plain.macs[4] + plain.macs[7] == 2e6
    assert (found.activation_elements[4], found.kinds[4]) == (4 * N, "matmul + eltwise + softmax")


def test_a_unit_without_one_of_the_fused_operators_cannot_run_them() -> None:
    covered = calibration()
    costs = SocCostModel(board(), covered).costs(_fused(ATTENTION, "attention"), highest_clocks(board()), partial=True)
    assert not costs.supported[4].any() and "softmax on gpu" in costs.reasons[4, "gpu"]


def test_a_result_that_others_read_ends_a_group() -> None:
    rows = [_gemm("in"), _row("a", "eltwise", 0), _row("b", "eltwise", 1), _row("c", "eltwise", 1, 2, read=2 * N)]
    used = [*rows, _gemm("out", 3), _row("residual", "eltwise", 1, 4, read=2 * N)]
    assert _running(_fused(rows, "elementwise")) == ["in", "a"]
    found = _fused(used, "elementwise")
    assert _running(found) == ["in", "a", "b", "out", "residual"] and found.activation_elements[2] == 2 * N


def test_no_group_crosses_blocks_or_another_operator() -> None:
    assert _running(_fused(GELU, "elementwise", (0, 3))) == ["in", "div", "one", "out"]
    apart = [
        _gemm("in"),
        _row("div", "eltwise", 0),
        _gemm("other", 0),
        _row("half", "eltwise", 1),
        _row("sum", "eltwise", 2, 3, read=2 * N),
    ]
    assert _running(_fused(apart, "elementwise")) == ["in", "div", "other", "half"]


@pytest.mark.parametrize("slug", ["resnet50", "bert-base-128", "visformer-small", "magnas-vig-s-gin"])
def test_fused_networks_keep_their_macs_and_weights_and_never_move_more(slug: str) -> None:
    operations = builtin_network(slug).operations
    plain = operation_table(operations)
    found = fused_table(plain, operations, "attention")
    assert found.runs.sum() < plain.runs.sum()
    assert found.macs[found.runs].sum() == plain.macs[plain.runs].sum()
    assert found.activation_elements[found.runs].sum() <= plain.activation_elements[plain.runs].sum()
