"""Rows of measured designs by hand."""

import numpy as np
import pytest

from engines.methods.split_computing.bottleneck.costs import TrainingReady
from engines.methods.split_computing.bottleneck.engine import TrainBottleneckEngine
from engines.methods.split_computing.bottleneck.measuring import Bench
from engines.methods.split_computing.bottleneck.shapes import BranchDesign
from tests.engines.methods.split_computing.bottleneck.problems import bottleneck_problem

# Images of class 0 to 3, and how many of them are told right by both branches.
LABELS = {"validation": np.arange(4), "test": np.arange(4)}
RIGHT = {("validation", True): 4, ("validation", False): 3, ("test", True): 3, ("test", False): 1}


@pytest.fixture(scope="module")
def ready() -> TrainingReady:
    return TrainBottleneckEngine().prepare(bottleneck_problem({"blocks": 3}))


def bench(ready: TrainingReady) -> Bench:
    def outputs(split: str, design: BranchDesign) -> np.ndarray:
        wrong = (np.arange(4) >= RIGHT[split, design.bottleneck is None]).astype(int)
        said = np.eye(4)[(np.arange(4) + wrong) % 4]
        return np.repeat(np.log(np.where(said > 0, 0.7, 0.1))[:, None], 2, axis=1)

    deviations = [np.array([0.5, 0.25]), np.array([1.0, 2.0, 4.0]), np.array([8.0, 16.0, 32.0])]
    return Bench(ready, deviations, outputs, LABELS)


def test_the_row_of_a_design(ready: TrainingReady) -> None:
    design = BranchDesign(ready.bottlenecks[1], ("halved", "keep"))
    columns = bench(ready).designs([ready.shape.original, design]).columns
    assert columns["accuracy_percent"].tolist() == pytest.approx([100.0, 75.0])
    assert columns["test_accuracy_percent"].tolist() == pytest.approx([75.0, 25.0])
    assert columns["lost_percent"].tolist() == pytest.approx([0.0, 25.0])
    assert columns["loss"].tolist() == pytest.approx([-np.log(0.7), -(3 * np.log(0.7) + np.log(0.1)) / 4])
    assert columns["deviation"].tolist() == pytest.approx([0.0, 0.25 + 1.0])
    costs = ready.costs(design)
    of_two = {
        "sent_bytes": costs.sent_bytes, "macs": sum(operation.macs for operation in ready.network(design).operations),
        "encoder_macs": costs.macs["encoder"], "energy_j": sum(costs.energy_j.values()),
    }  # fmt: skip
    assert {name: columns[name][1] for name in of_two} == pytest.approx({name: 2 * one for name, one in of_two.items()})
    assert columns["encoder_s"].tolist() == [0.0, costs.latency_s["encoder"]]
    assert columns["tail_s"][1] == pytest.approx(sum(costs.latency_s.values()) - costs.latency_s["encoder"])


def test_deviations_of_the_parts_add_up(ready: TrainingReady) -> None:
    found = bench(ready)
    assert found.deviation(BranchDesign(None, ("keep", "dropped"))) == 32.0
    assert found.deviation(BranchDesign(ready.bottlenecks[0], ("pointwise", "halved"))) == 0.5 + 2.0 + 8.0
