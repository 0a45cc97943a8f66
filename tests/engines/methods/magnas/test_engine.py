"""The architecture search as an engine: its costs beside the mapping engine's, own designs, baselines."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Document, Resume
from engines.contract.errors import DecisionError, ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.mapping.problem.instance import standalone
from engines.mapping.solver.unit_mapping import score
from engines.methods.magnas.architectures.workload import network_document
from engines.methods.magnas.search.setup import build_setup
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore
from engines.running.inspection import evaluate
from tests.engines.methods.magnas.problems import ENGINE, search_problem, training_problem


def designs_of(**params: object) -> Designs:
    problem = search_problem(params)
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def test_costs_of_an_architecture_are_those_that_the_mapping_engine_gives_its_network() -> None:
    setup = build_setup(search_problem())
    calibration = get_builtin("calibration", setup.calibration.slug)
    for seed in range(4):
        architecture = setup.space.random(np.random.default_rng(seed))
        inputs = {
            "hardware": get_builtin("hardware", "jetson-agx-xavier"),
            "workload": Document("workload", "subnet", 1, network_document(setup.space, architecture)),
            "calibration": calibration,
        }
        instance = instance_of(make_problem("soc-mapping", inputs, {}))
        alone = standalone(instance.costs, instance.reference)[1]
        costs = setup.table.costs(architecture)
        units = np.repeat(np.arange(costs.units)[:, None], costs.blocks, axis=1)
        own = score(costs, units, np.full(costs.units, setup.reference))
        np.testing.assert_allclose(own.latency_s, alone.latency_s, rtol=1e-12)
        np.testing.assert_allclose(own.energy_j, alone.energy_j, rtol=1e-12)


def test_baselines_are_the_largest_of_each_operator_on_each_unit() -> None:
    designs = designs_of()
    labels = [label for label, origin in zip(designs.label, designs.origin, strict=True) if origin == "baseline"]
    assert len(labels) == 8 and "GraphSAGE, DLA alone" in labels
    assert min(designs.columns["transitions"][:8]) == max(designs.columns["transitions"][:8]) == 0


def test_no_design_is_below_the_bound_and_none_needs_more_than_its_limit() -> None:
    latency, energy = build_setup(search_problem()).table.least()
    designs = designs_of(latency_limit_s=0.02)
    assert designs.columns["latency_s"].min() >= latency and designs.columns["energy_j"].min() >= energy
    kept = designs.columns["limit_slack"] >= 0
    assert (designs.columns["latency_s"][kept] <= 0.02).all() and kept.any()


def test_an_own_design_is_scored_and_nonsense_is_refused() -> None:
    problem = search_problem()
    setup = build_setup(problem)
    architecture = setup.space.smallest("gin")
    units = ["gpu"] * setup.table.costs(architecture).blocks
    own = {"architecture": setup.space.encode(architecture), "units": units}
    slow = {**own, "clocks_mhz": {"gpu": 520}}
    scored = evaluate(problem, [own, slow])
    assert scored.columns["latency_s"][1] > scored.columns["latency_s"][0]
    assert scored.columns["blocks"].tolist() == [8, 8]
    for wrong in ({}, {**own, "units": units[1:]}, {**own, "units": ["tpu", *units[1:]]}, {"units": units}):
        with pytest.raises(DecisionError):
            evaluate(problem, [wrong])


@pytest.mark.long
def test_searching_clocks_never_makes_the_best_mapping_worse_by_equation_13() -> None:
    settings = {"clock_choices": "gpu: 520 1377; dla: 1050 1395", "kept_mappings": 1}
    fixed, after, joint = (designs_of(clocks=clocks, **settings) for clocks in ("fixed", "after_mapping", "joint"))
    first = {str(decision["architecture"]): product for decision, product in _products(fixed)}
    for better in (after, joint):
        same = [(first[key], value) for key, value in _best(better).items() if key in first]
        assert same and all(value <= known * (1 + 1e-12) for known, value in same)


def test_accuracy_is_measured_with_weights_and_a_search_goes_on_within_a_generation() -> None:
    pytest.importorskip("torch")
    training = training_problem({"held_out_examples": 16})
    trained = list(drive(get_engine("train-supernet"), training, LocalContext(training)))
    weights, document = trained[-1].files
    inputs = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "weights": Document("weights", "tiny", 1, json.loads(document.data)),
    }
    params = {"evaluations": 14, "population": 12, "validation_images": 16}
    problem = make_problem("magnas", inputs, params, seed=2)
    with pytest.raises(ProblemError, match="train it again"):
        list(drive(ENGINE, problem, LocalContext(problem)))
    files = MemoryFileStore()
    files.put(weights.data)
    steps = list(drive(ENGINE, problem, LocalContext(problem, files=files)))
    designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    # The largest of the first operator comes first in both; both measure it by the same images.
    first = next(step.designs for step in trained if step.designs is not None)
    assert designs.columns["accuracy_percent"][0] == first.columns["accuracy_percent"][0]
    within = next(number for number, step in enumerate(steps) if "of this generation measured" in step.message)
    checkpoint = steps[within].checkpoint
    assert checkpoint is not None
    stored = Designs.concatenate([step.designs for step in steps[: within + 1] if step.designs is not None])
    resumed = drive(ENGINE, problem, LocalContext(problem, files=files), Resume(checkpoint, stored))
    rest = [step.designs for step in resumed if step.designs is not None]
    assert Designs.concatenate([stored, *rest]).equals(designs)


def _products(designs: Designs) -> list[tuple[dict, float]]:
    found = designs.columns["mapping_product"].tolist()
    rows = zip(designs.decisions, found, designs.origin, strict=True)
    return [(decision, product) for decision, product, origin in rows if origin == "search"]


def _best(designs: Designs) -> dict[str, float]:
    return {str(decision["architecture"]): product for decision, product in _products(designs)}
