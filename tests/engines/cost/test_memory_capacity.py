"""Networks that exceed the memory of a device are refused with numbers; a user can lift the limit; unknown memories say so."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from engines import explore
from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.contract.limits import LIMIT_SLACK
from engines.cost.memory_capacity import activation_elements, memory_demand, memory_size
from engines.documents.builtin import get_builtin
from engines.methods.mapformer.estimator.pool import pool_board
from engines.methods.sbrs.search.engine import SbrsSearchEngine
from engines.methods.sbrs.search.space import laboratory
from engines.methods.split_computing.bottleneck.engine import TrainBottleneckEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from engines.survey.survey import survey
from engines.workloads.loader import builtin_network, load_network
from engines.workloads.network import ScenarioModel
from hardware.bits import bit_widths, whole_bytes
from hardware.package.loader import load_package
from hardware.package.summary import summarise
from hardware.soc.loader import load_soc
from tests.engines.methods.sbrs.problems import workload as three_networks
from tests.engines.methods.sbrs.search.problems import search_problem
from tests.engines.methods.split_computing.bottleneck.problems import bottleneck_problem

GPT2_XL = "gpt2-xl-128"
GIB = 2**30
# A board of our own figures, sold with 1 GiB.
BOARD = {
    "schema": "soc/1", "slug": "board-of-too-little-memory", "title": "A small board", "source": "our own figures",
    "units": {
        "gpu": {
            "kind": "gpu", "cores": 128, "frequencies_mhz": [460.8, 921.6],
            "operations_per_cycle": {"fp16": 512, "fp32": 256},
            "power": {"idle_w": 0.5, "dynamic_w": 5, "exponent": 2},
        },
    },
    "memory": {"frequencies_mhz": [800, 1600], "bytes_per_cycle": 16, "capacities_gib": [0.5, 1]},
    "sources": {"units": "our own figures", "memory": "our own figures"},
}  # fmt: skip


def board(*capacities_gib: float) -> Document:
    content: dict[str, Any] = deepcopy(BOARD)
    content["memory"]["capacities_gib"] = list(capacities_gib)
    return Document("hardware", "small", 1, content)


def package(capacity_gib: float | None) -> Document:
    content = deepcopy(dict(get_builtin("hardware", "simba-3x3-nvdla").content))
    if capacity_gib is not None:
        content["off_chip_memory"] = {**content["off_chip_memory"], "capacity_gib": capacity_gib}
    return Document("hardware", "package", 1, content)


def network(*rows: dict[str, Any]) -> Any:
    content = {"schema": "network/1", "slug": "net", "title": "Net", "short_title": "Net", "source": "ours"}
    return load_network({**content, "operations": [dict(row) for row in rows]})


def conv(name: str, k: int, c: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "conv", "k": k, "c": c, "r": 1, "s": 1, "y": 10, "x": 10, **more}


def test_a_chain_needs_the_input_and_the_result_of_its_largest_operation() -> None:
    rows = [conv("a", 4, 3), {"name": "a:act", "kind": "activation", "k": 4, "c": 4, "y": 10, "x": 10}, conv("b", 1, 4)]
    assert activation_elements(network(*rows)) == 300 + 400  # the activation works in place


def test_a_shortcut_is_held_until_it_is_read() -> None:
    add = {"name": "add", "kind": "eltwise", "k": 4, "c": 4, "y": 10, "x": 10, "reads": [0, 2]}
    rows = [conv("a", 4, 4), conv("b", 1, 4, reads=[0]), conv("c", 4, 1, reads=[1]), add]
    assert activation_elements(network(*rows)) == 400 + 100 + 400  # the shortcut, and input and result of c
    assert activation_elements(network(*rows, conv("d", 9, 4, reads=[3]))) == 400 + 900


def test_the_input_beside_results_frees_no_result() -> None:
    join = {"name": "join", "kind": "concat", "input_elements": 800, "output_elements": 800, "reads": [-1, 0]}
    add = {"name": "add", "kind": "eltwise", "input_elements": 1600, "output_elements": 800, "reads": [1, 3]}
    rows = [conv("a", 4, 4, reads=[]), join, conv("b", 1, 8), conv("c", 8, 1), add, conv("d", 8, 8)]
    assert activation_elements(network(*rows)) == 800 + 100 + 800  # the joined map, and input and result of c


def test_a_demand_has_weights_once_and_the_activations_of_all_that_run() -> None:
    model = ScenarioModel(builtin_network("alexnet"), 2)
    one, two = memory_demand([model]), memory_demand([model, replace(model, batch=1)])
    assert one.weight_elements == two.weight_elements == 61_100_840  # as torchvision counts
    assert two.activation_elements == 1.5 * one.activation_elements
    assert one.total_bytes(bit_widths("w4a16")) == -(-one.weight_elements // 2) + 2 * one.activation_elements
    assert one.total_bytes(whole_bytes(2)) == 2 * (one.weight_elements + one.activation_elements)


def test_sizes_are_of_three_digits() -> None:
    sizes = (999, 1536, 300 * 2**10, 100 * 2**20, 999.6 * 2**20, 1023.6 * 2**20, 3.055 * GIB)
    assert [memory_size(size) for size in sizes] == [
        "999 B", "1.5 KiB", "300 KiB", "100 MiB", "1000 MiB", "1024 MiB", "3.06 GiB",
    ]  # fmt: skip


def explored(hardware: Document | str, **params: Any) -> Any:
    return explore("soc-mapping", hardware=hardware, workload=GPT2_XL, params={"unmeasured": "datasheet", **params})


def test_a_network_that_exceeds_the_largest_memory_of_a_board_is_refused_with_numbers() -> None:
    with pytest.raises(
        ProblemError, match=r"2\.91 GiB .* 2\.9 GiB for weights, .* Got '1 GiB, A small.*Set ignore_memory to true"
    ) as found:
        explored(board(0.5, 1))
    assert found.value.field == "inputs.hardware.memory" and found.value.remedies[0][1:] == (
        "params.ignore_memory",
        True,
    )
    assert "memory" not in explored(board(2, 4)).results


def test_notes_state_a_lifted_limit_and_an_unknown_memory() -> None:
    lifted, unknown = explored(board(1), ignore_memory=True).results["memory"], explored(board()).results["memory"]
    assert lifted.level == "warning" and "Does not fit" in lifted.text and "the device has 1 GiB" in lifted.text
    assert unknown.level == "info" and unknown.text.endswith("memory capacity unknown.")


@pytest.mark.parametrize(
    ("engine", "inputs", "params"),
    [
        ("mapformer", {}, {"manager": "gpu"}),
        ("map-and-conquer", {}, {"unmeasured": "datasheet"}),
        ("hadas", {}, {"unmeasured": "datasheet", "unit": "gpu"}),
        ("energyshield", {"radio": "wifi-smartphone"}, {}),
    ],
)
def test_every_engine_with_a_board_refuses_what_does_not_fit(
    engine: str, inputs: dict[str, str], params: dict[str, Any]
) -> None:
    """ResNet-50 has 25.6 million weights."""
    with pytest.raises(ProblemError, match=r"MiB for weights") as found:
        explore(engine, hardware=board(0.03), workload="resnet50", inputs=inputs, params=params)
    assert found.value.field == "inputs.hardware.memory"


def test_magnas_refuses_a_board_that_its_largest_architecture_does_not_fit() -> None:
    with pytest.raises(ProblemError, match=r"MiB for weights"):
        explore("magnas", hardware=board(0.03), params={"unmeasured": "datasheet"})


def test_a_cut_leaves_on_the_device_what_its_memory_holds() -> None:
    """VGG-16 has 138 million weights: 528 MiB of 32-bit words, 393 MiB of them in its first classifier."""
    inputs = {"radio": "wifi-smartphone"}
    cuts = explore("split-network", hardware=board(0.25), workload="vgg16", inputs=inputs).designs
    memory, room = cuts.columns["device_memory_bytes"], cuts.columns["limit_slack"]
    assert memory.max() > 553_000_000 and ((memory > 0.25 * GIB) == (room < 0)).all() and (room >= 0).any()
    lifted = explore(
        "split-network", hardware=board(0.25), workload="vgg16", inputs=inputs, params={"memory_limit_mb": 1000}
    )
    assert (lifted.designs.columns["limit_slack"] >= 0).all()


def test_packages_refuse_what_their_memory_does_not_hold_and_say_where_it_is_unknown() -> None:
    with pytest.raises(ProblemError, match=r"GiB for weights.*Got '1 GiB, Simba"):
        explore("scar", hardware=package(1), workload=GPT2_XL, params={"evaluations": 100})
    unknown = explore(
        "scar", hardware=package(None), workload="ed-tcn-xrbench", params={"evaluations": 100, "n_splits": 0}
    )
    assert unknown.results["memory"].text.endswith("memory capacity unknown.")
    assert [row.value for row in summarise(load_package(package(1).content)) if row.title == "Memory capacity"] == [1]
    assert [row.value for row in summarise(load_package(package(None).content)) if row.title == "Memory capacity"] == [
        "unknown"
    ]


def test_a_survey_lists_no_device_that_a_network_does_not_fit() -> None:
    small, large = load_soc(board(1).content), load_soc(board(8).content)
    devices = [("small", small), ("large", large), ("package", load_package(package(1).content)),
               ("open", load_package(package(None).content))]  # fmt: skip
    found = survey(builtin_network(GPT2_XL), devices)
    assert {each.name for each in found.able} == {"large", "open"}
    assert all("Does not fit" in each.reason and "The device has 1 GiB" in each.reason for each in found.unable)
    assert all(each.reason.endswith("ignore_memory=true computes the network as if it fit") for each in found.unable)
    words = {each.name: each.priced.words for each in found.able if each.priced}
    assert "memory capacity unknown" in words["open"] and "memory capacity unknown" not in words["large"]


def test_applications_of_sbrs_are_limited_by_the_memory_of_the_device() -> None:
    """The application of all three networks needs more than 0.1 MiB, others need less."""
    params = {"unmeasured": "datasheet"}
    designs = explore("sbrs", hardware=board(1e-4), workload=three_networks(), params=params).designs
    memory, room = designs.columns["memory_bytes"], designs.columns["limit_slack"]
    assert ((memory > 1e-4 * GIB) == (room < 0)).all() and (room < 0).any() and (room > 0).any()
    lifted = explore("sbrs", hardware=board(1e-4), workload=three_networks(), params={**params, "memory_limit_mb": 10})
    assert (lifted.designs.columns["limit_slack"] > 0).all()


def tx2(capacity_gib: float) -> Document:
    known = get_builtin("hardware", "jetson-tx2")
    return replace(
        known, content={**known.content, "memory": {**known.content["memory"], "capacities_gib": [capacity_gib]}}
    )


def test_a_branch_that_does_not_fit_is_not_trained_for_the_device() -> None:
    with pytest.raises(ProblemError, match=r" at 32 bits.* Must be a device with more memory") as caught:
        ready_of(TrainBottleneckEngine(), bottleneck_problem({"precision": "fp32"}, hardware=tx2(1e-6)))
    assert caught.value.field == "inputs.hardware.memory"
    ready_of(TrainBottleneckEngine(), bottleneck_problem({"precision": "fp32"}, hardware=tx2(1e-3)))


def test_an_estimator_is_not_trained_with_a_network_that_the_board_cannot_hold() -> None:
    large = ScenarioModel(builtin_network(GPT2_XL), 1)
    with pytest.raises(ProblemError, match=r"GPT-2 XL.* needs") as caught:
        pool_board(load_soc(board(1).content), None, "datasheet", [large])
    assert caught.value.field == "inputs.hardware.memory"
    with pytest.raises(ProblemError, match=r"without memory\.power"):  # it fits: the next requirement is asked for
        pool_board(load_soc(board(8).content), None, "datasheet", [large])


def test_a_network_of_a_search_that_exceeds_the_memory_is_infeasible() -> None:
    figures = {}
    for capacity_gib in (1e-6, 8):
        lab = laboratory(search_problem(hardware=tx2(capacity_gib)))
        figures[capacity_gib] = lab.figures(lab.smallest())
    memory = figures[8]["memory_bytes"]
    assert memory > 1e-6 * GIB and figures[8][LIMIT_SLACK.name] >= 0
    assert figures[1e-6][LIMIT_SLACK.name] == pytest.approx(1 - memory / round(1e-6 * GIB))
    problem = search_problem(hardware=tx2(1e-6))
    (step,) = drive(SbrsSearchEngine(), problem, LocalContext(problem))
    assert step.infeasible is not None and step.infeasible.unit == "MB"
    assert (step.infeasible.demand, step.infeasible.bound) == pytest.approx((memory / 1e6, round(1e-6 * GIB) / 1e6))


def test_bits_that_operations_state_count_where_they_are_asked_for() -> None:
    network = builtin_network("squeezenet1-0")
    operations = tuple(replace(each, weight_bits=4.5) for each in network.operations)
    model = ScenarioModel(replace(network, operations=operations), 1)
    usual, stated = memory_demand([model]), memory_demand([model], stated=True)
    bits = bit_widths("int8")
    assert usual.weight_bytes(bits) == network.parameters
    assert stated.weight_bytes(bits) == pytest.approx(network.parameters * 4.5 / 8, abs=1)
    assert stated.weight_bytes(bit_widths("fp16")) == stated.weight_bytes(bits)
    assert stated.total_bytes(bits) - stated.weight_bytes(bits) == usual.total_bytes(bits) - usual.weight_bytes(bits)
    assert "at the bits that operators state, else 8 bits" in stated.sentence(bits)
    mixed = replace(model, network=replace(network, operations=(operations[0], *network.operations[1:])))
    saved = operations[0].weight_elements * (8 - 4.5) / 8
    assert memory_demand([mixed], stated=True).weight_bytes(bits) == pytest.approx(network.parameters - saved, abs=1)
