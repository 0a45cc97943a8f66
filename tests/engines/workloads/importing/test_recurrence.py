"""One recurrent layer, however a file writes it: as an operator, as a loop, unrolled, or as steps of a module of torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from engines.contract.encoding.document_text import ReadDocument
from engines.workloads.importing.recurrence import Rows, with_recurrences
from engines.workloads.importing.torch_reader import read_torch
from engines.workloads.loader import load_network
from engines.workloads.network import has_graph
from tests.engines.workloads.importing.onnx.onnx_models import file, weight, whole
from tests.engines.workloads.importing.onnx.walks_for_tests import node, read

STEPS, INPUTS, HIDDEN = 8, 24, 16
VALUE = helper.make_tensor_value_info


def work(found: ReadDocument) -> list[tuple[Any, ...]]:
    """What cost models see of each operation."""
    operations = load_network(found.content).operations
    return [
        (o.kind, o.y, o.c, o.k, o.repeats, o.weight_elements, o.input_elements, o.output_elements, o.reads)
        for o in operations
    ]


def as_operator() -> bytes:
    weights = [weight("w", 1, HIDDEN, INPUTS), weight("r", 1, HIDDEN, HIDDEN), weight("b", 1, 2 * HIDDEN)]
    return file(
        [helper.make_node("RNN", ["x", "w", "r", "b"], ["all", "out"], hidden_size=HIDDEN)],
        {"x": [STEPS, 1, INPUTS]},
        weights,
    )


def _step(x: str, state: str, after: str, place: str) -> list[Any]:
    return [
        node("MatMul", f"{x} wi", f"a{place}"), node("Add", f"a{place} bi", f"c{place}"),
        node("MatMul", f"{state} wh", f"b{place}"), node("Add", f"b{place} bh", f"d{place}"),
        node("Add", f"c{place} d{place}", f"s{place}"), node("Tanh", f"s{place}", after),
    ]  # fmt: skip


WEIGHTS = [weight("wi", INPUTS, HIDDEN), weight("wh", HIDDEN, HIDDEN), weight("bi", HIDDEN), weight("bh", HIDDEN)]


def as_loop() -> bytes:
    """The state begins as zeros, and what each turn gives is stacked."""
    body = helper.make_graph(
        [node("Gather", "x turn", "xt", axis=0), *_step("xt", "h", "next", ""), node("Identity", "going", "still")],
        "body",
        [
            VALUE("turn", TensorProto.INT64, []),
            VALUE("going", TensorProto.BOOL, []),
            VALUE("h", TensorProto.FLOAT, [1, HIDDEN]),
        ],
        [
            VALUE("still", TensorProto.BOOL, []),
            VALUE("next", TensorProto.FLOAT, None),
            VALUE("next", TensorProto.FLOAT, None),
        ],
    )
    zeros = numpy_helper.from_array(np.zeros(1, np.float32))
    nodes = [helper.make_node("ConstantOfShape", ["size"], ["zeros"], value=zeros),
             helper.make_node("Loop", ["many", "yes", "zeros"], ["last", "out"], "loop", body=body)]  # fmt: skip
    more = [
        whole("size", 1, HIDDEN),
        numpy_helper.from_array(np.array(STEPS), "many"),
        numpy_helper.from_array(np.array(True), "yes"),
    ]
    return file(nodes, {"x": [STEPS, 1, INPUTS]}, [*WEIGHTS, *more])


def unrolled() -> bytes:
    nodes = [helper.make_node("Split", ["x"], [f"x{step}" for step in range(STEPS)], axis=0, num_outputs=STEPS)]
    state = "first"
    for step in range(STEPS):
        nodes += [node("Squeeze", f"x{step} axis", f"q{step}"), *_step(f"q{step}", state, f"h{step}", str(step))]
        state = f"h{step}"
    nodes.append(node("Concat", " ".join(f"h{step}" for step in range(STEPS)), "out", axis=0))
    return file(nodes, {"x": [STEPS, 1, INPUTS], "first": [1, HIDDEN]}, [*WEIGHTS, whole("axis", 0)], opset=18)


@pytest.mark.parametrize("make", [as_loop, unrolled])
def test_a_recurrent_layer_is_the_same_work_however_it_is_written(make: Any) -> None:
    found, operator = read(make()), read(as_operator())
    assert found.report["parameters"] == operator.report["parameters"] == HIDDEN * (INPUTS + HIDDEN + 2)
    assert found.report["macs"] == operator.report["macs"] == STEPS * HIDDEN * (INPUTS + HIDDEN)
    assert [row[:-1] for row in work(found)] == [row[:-1] for row in work(operator)]
    assert has_graph(load_network(found.content).operations)


def _looped(nodes: list[Any], turns: int, weights: list[Any], shape: list[int]) -> ReadDocument:
    """A loop whose state is a sample, and a product of the last state after it."""
    body = helper.make_graph(
        [*nodes, node("Identity", "going", "still")], "body",
        [VALUE("turn", TensorProto.INT64, []), VALUE("going", TensorProto.BOOL, []), VALUE("h", TensorProto.FLOAT, shape)],
        [VALUE("still", TensorProto.BOOL, []), VALUE("next", TensorProto.FLOAT, shape)],
    )  # fmt: skip
    loop = helper.make_node("Loop", ["many", "yes", "x"], ["last"], "loop", body=body)
    more = [
        numpy_helper.from_array(np.array(turns), "many"),
        numpy_helper.from_array(np.array(True), "yes"),
        weight("end", shape[-1], 3),
    ]
    return read(file([loop, node("MatMul", "last end", "out")], {"x": shape}, [*weights, *more]))


def test_a_loop_of_convolutions_repeats_them() -> None:
    nodes = [node("Conv", "h w", "c", pads=[1] * 4), node("Relu", "c", "r"), node("Add", "r h", "next")]
    found = _looped(nodes, 5, [weight("w", 4, 4, 3, 3)], [1, 4, 6, 6])
    rows = found.content["operations"]
    assert [(row["kind"], row.get("repeats", 1), row.get("input_elements")) for row in rows] == [
        ("conv", 5, None), ("activation", 1, 5 * 144), ("eltwise", 1, 2 * 5 * 144), ("gemm", 1, None),
    ]  # fmt: skip
    assert (found.report["macs"], found.report["parameters"]) == (5 * 36 * 144 + 24 * 18, 144 + 18)


def test_weights_inside_of_a_loop_are_those_of_every_turn() -> None:
    """A kernel that stands in the body, and one that the body turns round."""
    inside = helper.make_node(
        "Constant", [], ["k"], value=numpy_helper.from_array(np.arange(16, dtype=np.float32).reshape(4, 4))
    )
    nodes = [
        inside,
        node("MatMul", "h k", "a"),
        node("Transpose", "w", "t", perm=[1, 0]),
        node("MatMul", "a t", "next"),
    ]
    found = _looped(nodes, 3, [weight("w", 4, 4)], [2, 4])
    assert (found.report["macs"], found.report["parameters"]) == (3 * 2 * 2 * 16 + 24, 16 + 16 + 12)


def test_a_weight_of_each_turn_is_no_bias_of_all() -> None:
    """The body adds another row of a table in each turn; the table counts once, and no product has a bias."""
    row = node("Gather", "table turn", "t", axis=0)
    found = _looped(
        [node("MatMul", "h w", "a"), row, node("Add", "a t", "next")],
        3,
        [weight("w", 4, 4), weight("table", 3, 4)],
        [1, 4],
    )
    assert [each["weight_elements"] for each in found.content["operations"] if each["kind"] == "gemm"] == [16, 12]
    assert found.report["parameters"] == 16 + 12 + 12


def test_a_learnt_first_state_of_a_loop_counts() -> None:
    body = helper.make_graph(
        [node("Gather", "x turn", "xt", axis=0), *_step("xt", "h", "next", ""), node("Identity", "going", "still")], "body",
        [VALUE("turn", TensorProto.INT64, []), VALUE("going", TensorProto.BOOL, []), VALUE("h", TensorProto.FLOAT, [1, HIDDEN])],
        [VALUE("still", TensorProto.BOOL, []), VALUE("next", TensorProto.FLOAT, None)],
    )  # fmt: skip
    more = [
        weight("first", 1, HIDDEN),
        numpy_helper.from_array(np.array(STEPS), "many"),
        numpy_helper.from_array(np.array(True), "yes"),
    ]
    nodes = [helper.make_node("Loop", ["many", "yes", "first"], ["out"], "loop", body=body)]
    report = read(file(nodes, {"x": [STEPS, 1, INPUTS]}, [*WEIGHTS, *more])).report
    assert report["parameters"] == HIDDEN * (INPUTS + HIDDEN + 3)
    assert report["macs"] == STEPS * HIDDEN * (INPUTS + HIDDEN)


def test_a_block_that_is_called_again_with_attention_in_it_stays_as_it_is() -> None:
    nodes, last = [], "x"
    for turn in range(3):
        nodes += [node("MatMul", f"{last} w", f"q{turn}"), node("Transpose", f"q{turn}", f"k{turn}", perm=[1, 0]),
                  node("MatMul", f"q{turn} k{turn}", f"s{turn}"), node("Softmax", f"s{turn}", f"p{turn}"),
                  node("MatMul", f"p{turn} q{turn}", f"x{turn}")]  # fmt: skip
        last = f"x{turn}"
    found = read(file(nodes, {"x": [6, 8]}, [weight("w", 8, 8)], output=last))
    assert (found.report["layers"], found.report["parameters"]) == (9, 64)


def test_two_towers_stay_two_towers() -> None:
    nodes = [
        node("MatMul", "a w", "p"),
        node("Relu", "p", "r"),
        node("MatMul", "b w", "q"),
        node("Relu", "q", "t"),
        node("Sub", "r t", "out"),
    ]
    found = read(file(nodes, {"a": [1, 8], "b": [1, 8]}, [weight("w", 8, 8)]))
    assert [row.get("shared_weights") for row in found.content["operations"] if row["kind"] == "gemm"] == [
        {"w": 64}
    ] * 2


def product(name: str, *reads: int) -> dict[str, Any]:
    return {"name": name, "kind": "gemm", "y": 1, "c": 4, "k": 4, "weight_elements": 16, "reads": [*reads]}


def addition(name: str, *reads: int, weights: int = 0) -> dict[str, Any]:
    return {"name": name, "kind": "eltwise", "output_elements": 4, "weight_elements": weights, "reads": [*reads]}


def weights_of(*names: str) -> list[Any]:
    """The weight of each row by its name, 16 elements of a product (w...) and 4 of a bias (b); "" for none."""
    return [((name, 4 if name == "b" else 16),) if name else () for name in names]


def test_a_bias_may_stand_before_another_product_that_it_is_added_to() -> None:
    """Two products in turn, one bias for both: it is first added before the second product stands."""
    rows: list[dict[str, Any]] = []
    for place in range(0, 8, 2):
        rows += [product(f"g{place}", *([place - 1] if place else [])), addition(f"b{place}", place, weights=4)]
    held = weights_of("w", "b", "v", "b", "w", "b", "v", "b")
    found = with_recurrences(Rows(rows, held, [""] * len(rows)))
    assert [(row["kind"], row.get("repeats", 1), row["weight_elements"]) for row in found.rows] == [
        ("gemm", 2, 16), ("gemm", 2, 16), ("eltwise", 1, 4),
    ]  # fmt: skip


def test_a_loop_takes_no_row_of_the_next_one() -> None:
    """Both add the same weight, and the second begins with that."""
    rows = [product("p0"), addition("a0", 0, weights=4), product("p1", 1), addition("a1", 2, weights=4),
            addition("a2", 3, weights=4), product("q0", 4), addition("a3", 5, weights=4), product("q1", 6),
            addition("a4", 7, weights=4)]  # fmt: skip
    held = weights_of("w", "b", "w", "b", "b", "v", "b", "v", "b")
    found = with_recurrences(Rows(rows, held, ["first/"] * 4 + ["second/"] * 5))
    assert [row["repeats"] for row in found.rows if row["kind"] == "gemm"] == [2, 2]
    assert all(read < place for place, row in enumerate(found.rows) for read in row.get("reads", ()))


def test_blocks_that_wait_for_each_other_stay_as_they_are() -> None:
    """Two weights in turns that cross: a then b, and b then a, each reading the other's first result."""
    rows = [product("a0"), product("b0"), product("b1", 0, 1), product("a1", 0, 1)]
    held = [((name, 16),) for name in ("a", "b", "b", "a")]
    found = with_recurrences(Rows(rows, held, [""] * 4))
    assert sum(row.get("repeats", 1) for row in found.rows) == 4


# -- modules of torch -------------------------------------------------------------------------------------------------

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn = torch.nn


class Steps(nn.Module):  # type: ignore[misc, name-defined]
    """Layers of cells, step by step."""

    def __init__(self, *cells: Any) -> None:
        super().__init__()
        self.cells = nn.ModuleList(cells)

    def forward(self, x: Any) -> Any:
        states, found = [torch.zeros(2, HIDDEN) for _ in self.cells], []
        for step in x:
            for place, cell in enumerate(self.cells):
                states[place] = step = cell(step, states[place])
            found.append(step)
        return torch.stack(found)


class Plain(nn.Module):  # type: ignore[misc, name-defined]
    """A cell of linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(INPUTS, HIDDEN), nn.Linear(HIDDEN, HIDDEN)

    def forward(self, x: Any, state: Any) -> Any:
        return torch.tanh(self.first(x) + self.second(state))


@pytest.mark.parametrize(
    ("cells", "layer"),
    [
        ([lambda: nn.GRUCell(INPUTS, HIDDEN)], lambda: nn.GRU(INPUTS, HIDDEN)),
        ([lambda: nn.GRUCell(INPUTS, HIDDEN), lambda: nn.GRUCell(HIDDEN, HIDDEN)], lambda: nn.GRU(INPUTS, HIDDEN, 2)),
        ([Plain], lambda: nn.RNN(INPUTS, HIDDEN)),
    ],
    ids=["one layer", "two layers", "linear layers"],
)
def test_steps_of_cells_are_the_work_of_the_layer(cells: Any, layer: Any) -> None:
    x = torch.randn(STEPS, 2, INPUTS)
    steps, whole_layer = read_torch(Steps(*(make() for make in cells)), (x,)), read_torch(layer(), (x,))
    assert [row[:-1] for row in work(steps)] == [row[:-1] for row in work(whole_layer)]
    assert steps.report["parameters"] == whole_layer.report["parameters"]
