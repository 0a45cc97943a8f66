"""Parts of a branch on a device, and operators beside each other."""

import pytest

from engines.methods.split_computing.bottleneck.costs import BranchCosts, TrainingReady
from engines.methods.split_computing.bottleneck.engine import training_ready
from engines.methods.split_computing.bottleneck.shapes import OPERATORS, VIEWS, BranchDesign
from tests.engines.methods.split_computing.bottleneck.problems import bottleneck_problem


@pytest.fixture(scope="module")
def ready() -> TrainingReady:
    return training_ready(bottleneck_problem({"blocks": 3}))


def test_what_comes_before_sending_and_what_follows() -> None:
    costs = BranchCosts({}, {"encoder": 2.0, "decoder": 3.0, "classifier": 4.0}, {}, 7)
    assert (costs.encoder_s, costs.tail_s) == (2.0, 7.0)
    assert BranchCosts({}, {"block1": 1.0}, {}, 7).encoder_s == 0.0


def test_a_branch_is_its_parts(ready: TrainingReady) -> None:
    bottleneck = ready.bottlenecks[0]
    design = BranchDesign(bottleneck, ("keep", "dropped"))
    costs = ready.costs(design)
    assert set(costs.macs) == {"encoder", "decoder", "block2", "block3", "classifier"}
    assert sum(costs.macs.values()) == sum(each.macs for each in ready.network(design).operations)
    assert costs.sent_bytes == ready.shape.sent_bytes(bottleneck)
    assert sum(costs.latency_s.values()) == pytest.approx(costs.encoder_s + costs.tail_s)
    original = ready.costs(ready.shape.original)
    assert "encoder" not in original.macs and original.sent_bytes == ready.shape.sent_bytes(None)
    assert original.macs["block2"] == costs.macs["block2"]


def test_operators_are_compared_over_all_views(ready: TrainingReady) -> None:
    macs = ready.operator_costs("macs")
    assert [len(each) for each in macs] == [len(OPERATORS)] * 2
    of = ready.costs(ready.shape.original).macs
    keep = OPERATORS.index("keep")
    assert [each[keep] for each in macs] == [VIEWS * of["block2"], VIEWS * of["block3"]]
    assert all(each.argmax() == keep for each in macs)
    seconds = ready.operator_costs("latency_s")
    assert (seconds[0] > 0).all()
    whole = ready.costs(ready.shape.original).latency_s
    assert [each[keep] for each in seconds] == [VIEWS * whole["block2"], VIEWS * whole["block3"]]
