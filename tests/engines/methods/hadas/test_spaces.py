"""Subnets of a trained supernet as backbones; the weights are random."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Document, Problem, Resume, Step
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.numeric.random_streams import random_stream
from engines.contract.results import Breakdown, LayerGraph
from engines.cost.soc.operations import operation_table
from engines.data.digits import digits
from engines.data.documents import DEFAULT, builtin_data_sets
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.hadas.space import BASELINES, as_decision
from engines.methods.hadas.spaces import SupernetBackbones
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore
from engines.running.inspection import explain
from engines.supernets.space import SupernetSpace
from engines.supernets.spaces import Shape, small_space
from engines.supernets.weights_document import load_weights, weights_document

SPACE = small_space(1, 8, 10, 4, deepest=2)
ENGINE = get_engine("hadas")
ACCURACY = {
    "subnets": 1,
    "best_validation_percent": 50.0,
    "median_validation_percent": 50.0,
    "test_of_best_percent": 50.0,
}
PARAMS = {
    "clock_steps": 1, "evaluations": 16, "population": 12, "inner_evaluations": 40, "inner_population": 10, "first_exit": 2,
    "validation_images": 64, "compare": False, "unmeasured": "assumed",
}  # fmt: skip


def document(weights: bytes, space: SupernetSpace = SPACE) -> Document:
    file = {"sha256": hashlib.sha256(weights).hexdigest(), "size_bytes": len(weights) or 1}
    content = weights_document(
        "tiny",
        "made up for tests",
        space,
        builtin_data_sets()[DEFAULT],
        digits().content_hash(),
        file,
        {"seed": 1},
        ACCURACY,
    )
    return Document("weights", "tiny", 1, content)


def random_weights(space: SupernetSpace = SPACE) -> bytes:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save

    from tests.engines.supernets.cases import supernet_of

    torch.set_num_threads(1)
    return save({name: value.contiguous() for name, value in supernet_of(space).state_dict().items()})


def problem_of(weights: Document, params: Mapping[str, Any] | None = None, **inputs: Document) -> Problem:
    documents = {"hardware": get_builtin("hardware", "jetson-agx-xavier"), "weights": weights, **inputs}
    return make_problem("hadas", documents, PARAMS | dict(params or {}), seed=3)


def context_of(problem: Problem, weights: bytes) -> LocalContext:
    files = MemoryFileStore()
    files.put(weights)
    return LocalContext(problem, files=files)


def joined(steps: list[Step]) -> Designs:
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def test_every_row_is_another_subnet_and_comes_back_from_its_decision() -> None:
    space = SupernetBackbones(load_weights(document(b"").content))
    assert space.size == SPACE.size
    rows = np.unique(np.random.default_rng(0).integers(space.counts, size=(200, 16)), axis=0)
    found = [space.decode(row) for row in rows]
    assert len(set(found)) == len(rows)
    assert all(space.from_decision(space.as_decision(each)) == each for each in found)
    first, last = space.decode(np.zeros(16, np.int64)), space.decode(space.counts - 1)
    assert first == SPACE.smallest(SPACE.operators[0]) and last == SPACE.largest(SPACE.operators[-1])


@pytest.mark.parametrize("shape", ["isotropic", "pyramid"])
def test_exits_read_the_map_after_each_block(shape: Shape) -> None:
    space = SupernetBackbones(load_weights(document(b"", small_space(1, 16, 10, 4, shape, deepest=2)).content))
    for subnet in space.ends:
        network = space.network(subnet)
        table = operation_table(network.operations)
        found = space.positions(network, table, 1)
        sides, widths = space.weights.space.sides, space.weights.space.widths
        maps = [
            (width, side, side)
            for choice, width, side in zip(subnet, widths, sides, strict=True)
            for _ in range(choice.depth)
        ]
        assert found.count == len(maps) and list(found.shapes) == maps[:-1]
        last = [re.sub(r"\D", "", network.operations[at - 1].name.split(".")[0]) for at in found.starts[1:]]
        assert last == [str(number) for number in found.numbers]
        stem = network.operations[: space.stem_end(table)]
        assert {operation.name.split(".")[0] for operation in stem} == {"stem"}
        assert not network.operations[len(stem)].name.startswith("stem")


def test_subnets_are_searched_by_their_measured_accuracy_and_a_search_goes_on() -> None:
    weights = random_weights()
    problem = problem_of(document(weights))
    steps = list(drive(ENGINE, problem, context_of(problem, weights)))
    designs = joined(steps)
    from engines.data.torch_images import Images
    from engines.supernets.measuring import load_supernet, measured_accuracy, training_order

    rows = training_order(random_stream(1, "examples"), digits(), None)
    supernet, images = load_supernet(SPACE, weights), Images(digits(), SPACE.image_side, "cpu")
    told = {str(each["backbone"]): each for each in designs.decisions}
    assert len({each["backbone_accuracy_percent"] for each in told.values()}) > 1
    for decision in list(told.values())[:5]:
        subnet = SPACE.decode(decision["backbone"])
        by_hand = measured_accuracy(supernet, images, digits(), rows, subnet, digits().validation, 64)
        assert decision["backbone_accuracy_percent"] == pytest.approx(by_hand)
    searched = np.flatnonzero(np.array(designs.origin) == "search")
    assert (designs.columns["exits"][searched] > 0).any()
    assert {"baselines"} <= {result.name for step in steps for result in step.results}

    assert any("of this generation measured" in step.message for step in steps)
    kept = next(number for number, step in enumerate(steps) if step.message.startswith("12 backbones"))
    checkpoint = steps[kept].checkpoint
    assert checkpoint is not None
    stored = joined(steps[: kept + 1])
    rest = list(drive(ENGINE, problem, context_of(problem, weights), Resume(checkpoint, stored)))
    assert joined([*steps[: kept + 1], *rest]).equals(designs)


def test_a_decision_is_measured_again_and_explained_without_the_weights() -> None:
    weights = random_weights()
    problem = problem_of(document(weights))
    setup = ENGINE.prepare(problem)
    given = {"backbone": SPACE.encode(SPACE.largest("gin")), "exits": [3, 5]}
    found = ENGINE.evaluate(problem, setup, [given], context_of(problem, weights))
    decision = found.decisions[0]
    assert decision["backbone_accuracy_percent"] == found.columns["backbone_accuracy_percent"][0]
    with pytest.raises(DecisionError, match=r"a number from 0 to 100.*Evaluate the decision"):
        explain(problem, given)
    results = explain(problem, decision)
    assert any(isinstance(each, LayerGraph) for each in results)
    energy = next(each for each in results if isinstance(each, Breakdown) and each.unit == "J")
    assert energy.values.sum() == pytest.approx(found.columns["energy_j"][0])
    lied = ENGINE.evaluate(
        problem, setup, [decision | {"backbone_accuracy_percent": 99.5}], context_of(problem, weights)
    )
    assert lied.equals(found)


def test_what_cannot_be_is_named_before_or_at_the_start() -> None:
    weights, other = random_weights(), random_weights(small_space(1, 8, 10, 8, deepest=2))
    with pytest.raises(ProblemError) as error:
        ENGINE.prepare(problem_of(document(weights), workload=get_builtin("workload", "attentivenas-a0")))
    assert error.value.field == "inputs.weights"
    with pytest.raises(ProblemError) as error:
        ENGINE.prepare(problem_of(document(weights), {"first_exit": 60}))
    assert error.value.field == "params.first_exit"
    problem = problem_of(document(weights))
    with pytest.raises(ProblemError, match="Train the supernet again"):
        list(drive(ENGINE, problem, LocalContext(problem)))
    wrong = problem_of(document(other))
    with pytest.raises(ProblemError, match="Must be weights of the search space that the document describes") as error:
        list(drive(ENGINE, wrong, context_of(wrong, other)))
    assert error.value.field == "inputs.weights.file.sha256"
    decision = {"backbone": as_decision(BASELINES["a0"]), "exits": []}
    with pytest.raises(DecisionError) as refused:
        ENGINE.evaluate(problem, ENGINE.prepare(problem), [decision], context_of(problem, weights))
    assert refused.value.field == "decision.backbone"


def test_the_plan_names_the_space_and_needs_torch() -> None:
    problem = problem_of(document(b"", SPACE))
    plan = ENGINE.plan(problem, ENGINE.prepare(problem))
    assert plan.needs == {"torch"} and plan.determinism == "pinned"
    assert any("subnets of Supernet (isotropic)" in check.text for check in plan.checks)
    assert any("gemm on GPU" in note for note in plan.notes)  # of an exit: no such calibration has it
