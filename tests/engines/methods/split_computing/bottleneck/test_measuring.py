"""Rows of measured designs by hand."""

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.split_computing.bottleneck.costs import TrainingReady
from engines.methods.split_computing.bottleneck.engine import training_ready
from engines.methods.split_computing.bottleneck.measuring import Bench, decision_of, decoded, scores_of
from engines.methods.split_computing.bottleneck.shapes import Bottleneck, BranchDesign
from tests.engines.methods.split_computing.bottleneck.problems import bottleneck_problem

# Images of class 0 to 3, and how many of them the first branch tells right, with a bottleneck and without. The second one is
# undecided, so that it tells all of them to be of class 0 and leaves the answer of both to the first.
LABELS = {"validation": np.arange(4), "test": np.arange(4)}
RIGHT = {("validation", True): 4, ("validation", False): 3, ("test", True): 3, ("test", False): 2}


@pytest.fixture(scope="module")
def ready() -> TrainingReady:
    return training_ready(bottleneck_problem({"blocks": 3}))


def bench(ready: TrainingReady) -> Bench:
    def outputs(split: str, design: BranchDesign) -> np.ndarray:
        wrong = (np.arange(4) >= RIGHT[split, design.bottleneck is None]).astype(int)
        said = np.eye(4)[(np.arange(4) + wrong) % 4]
        return np.stack([np.log(np.where(said > 0, 0.7, 0.1)), np.zeros((4, 4))], axis=1)

    deviations = [np.array([0.5, 0.25]), np.array([0.5, 2.0, 4.0]), np.array([8.0, 16.0, 32.0])]
    return Bench(ready, deviations, outputs, LABELS)


def test_the_row_of_a_design(ready: TrainingReady) -> None:
    design = BranchDesign(ready.bottlenecks[1], ("halved", "keep"))
    columns = bench(ready).columns([ready.shape.original, design])
    assert columns["accuracy_percent"].tolist() == pytest.approx([100.0, 75.0])
    assert columns["test_accuracy_percent"].tolist() == pytest.approx([75.0, 50.0])
    assert columns["lost_percent"].tolist() == pytest.approx([0.0, 25.0])
    assert columns["loss"].tolist() == pytest.approx([-np.log(0.475), -(3 * np.log(0.475) + np.log(0.175)) / 4])
    assert columns["deviation"].tolist() == pytest.approx([0.0, 0.25 + 0.5])
    costs = ready.costs(design)
    of_two = {
        "sent_bytes": costs.sent_bytes, "macs": sum(operation.macs for operation in ready.network(design).operations),
        "encoder_macs": costs.macs["encoder"], "energy_j": sum(costs.energy_j.values()),
    }  # fmt: skip
    assert {name: columns[name][1] for name in of_two} == pytest.approx({name: 2 * one for name, one in of_two.items()})
    assert columns["encoder_macs"][0] == 0.0
    assert columns["encoder_s"].tolist() == [0.0, costs.latency_s["encoder"]]
    assert columns["tail_s"][1] == pytest.approx(sum(costs.latency_s.values()) - costs.latency_s["encoder"])


def test_deviations_of_the_parts_add_up(ready: TrainingReady) -> None:
    found = bench(ready)
    assert found.deviation(BranchDesign(None, ("keep", "dropped"))) == 32.0
    assert found.deviation(BranchDesign(ready.bottlenecks[0], ("pointwise", "halved"))) == 0.5 + 2.0 + 8.0


def test_losses_and_accuracies_before_and_after(ready: TrainingReady) -> None:
    design = BranchDesign(ready.bottlenecks[1], ("keep", "keep"))
    table = bench(ready).before_and_after(design)
    _, loss, later_loss, right, later_right = (column.values for column in table.table_columns)
    wrong = [-(3 * np.log(sure) + np.log(doubt)) / 4 for sure, doubt in ((0.7, 0.1), (0.25, 0.25), (0.475, 0.175))]
    np.testing.assert_allclose(loss, -np.log([0.7, 0.25, 0.475]))
    np.testing.assert_allclose(later_loss, wrong)
    assert (list(right), list(later_right)) == ([100.0, 25.0, 100.0], [75.0, 25.0, 75.0])
    assert table.title.endswith(f"{design.bottleneck.channels} channels, 1/2 of each side")  # type: ignore[union-attr]
    assert bench(ready).before_and_after(ready.shape.original).title.endswith("no bottleneck")


def test_the_search_takes_the_least_deviation_within_costs(ready: TrainingReady) -> None:
    # Of two targets the dearest keeps both blocks, and the cheapest takes what costs least.
    found = bench(ready).searched("macs", 2)
    least = tuple(("keep", "halved", "pointwise", "dropped")[each.argmin()] for each in ready.operator_costs("macs"))
    assert found == [
        BranchDesign(bottleneck, blocks) for bottleneck in ready.bottlenecks for blocks in (("keep", "keep"), least)
    ]


def test_decisions_come_back(ready: TrainingReady) -> None:
    assert decision_of(ready.shape.original) == {"channels": 0, "stride": 1, "blocks": ["keep", "keep"]}
    for bottleneck in (None, *ready.bottlenecks):
        design = BranchDesign(bottleneck, ("halved", "dropped"))
        assert decoded(ready, decision_of(design)) == design
        assert len(bench(ready).columns([design])["macs"]) == 1
    right = decision_of(BranchDesign(ready.bottlenecks[0], ("keep", "keep")))
    assert Bottleneck(9, 2) not in ready.bottlenecks
    for field, value in (
        ("channels", 9), ("channels", None), ("channels", 0), ("blocks", ["keep"]), ("blocks", ["keep", "no"]), ("blocks", "keep"),
    ):  # fmt: skip
        with pytest.raises(DecisionError, match=f"decision.{field}") as refused:
            decoded(ready, {**right, field: value})
        assert field == "blocks" or "one of the trained channels and strides: 0 and 1, 1 and 2, 2 and 2." in str(
            refused.value
        )


def test_large_outputs_are_no_overflow() -> None:
    scores = scores_of(np.array([[[1000.0, 0.0], [1000.0, 999.0]]]), np.array([0]))
    assert scores.right.tolist() == [1.0, 1.0, 1.0]
    sure = 1 / (1 + np.exp(-1.0))
    np.testing.assert_allclose(scores.loss, [0.0, -np.log(sure), -np.log((1 + sure) / 2)])
