"""The table of a device: what is sent and what is skipped, by hand, sums over parts, memory and the reward by hand."""

import itertools

import numpy as np
import pytest

from engines.methods.privynas.costs import Costs, edge_drawing, every_operation, extreme, needed_bytes, reward
from engines.methods.privynas.instance import instance_of
from engines.methods.privynas.space import Block, InvertedResidual, PrivacySpace
from engines.workloads.parts import drawn_operations
from hardware.bits import whole_bytes
from tests.engines.methods.privynas.problems import privynas_problem


def test_parts_of_a_network_by_hand() -> None:
    # Two blocks of two operations; seconds in the first row, joules in the second.
    costs = Costs(
        np.array([1.0, 10.0]), (np.array([[2.0, 3.0], [20.0, 30.0]]), np.array([[4.0, 0.0], [40.0, 0.0]])),
        np.array([[0.1, 0.2], [1.0, 2.0]]), np.array([[5.0, 6.0], [50.0, 60.0]]),
    )  # fmt: skip
    assert costs.of((1, 0), 1) == pytest.approx((1 + 3 + 0.1 + 5, 10 + 30 + 1 + 50))
    assert costs.of((0, 1), 2) == pytest.approx((1 + 2 + 0 + 0.2 + 6, 10 + 20 + 2 + 60))
    assert costs.parts((0, 1), 2)[0] == pytest.approx([1, 2, 0, 0.2, 6])


def test_what_lies_behind_the_cut_costs_the_device_nothing() -> None:
    costs = instance_of(privynas_problem({"depth": 2})).costs
    operations = [(0, 0, 0, 0, 0, 0), (0, 0, 1, 1, 1, 1)]
    assert costs.of(operations[0], 2) == costs.of(operations[1], 2)
    assert costs.of(operations[0], 3) < costs.of(operations[1], 3)  # six times the channels in place of three


def test_the_table_of_a_device() -> None:
    instance = instance_of(privynas_problem({"depth": 2, "bandwidth_mbps": 8.0}))
    costs = instance.costs
    assert [each.shape for each in costs.blocks] == [(2, 2), (2, 3)] * 3
    assert (costs.blocks[1][:, 2] == 0).all() and (costs.blocks[1][:, :2] > 0).all()  # skip takes nothing
    elements = np.array([block.elements for block in instance.space.blocks])
    np.testing.assert_allclose(costs.sending[0], 4 * elements / 1e6)  # bytes at 8 Mbit/s
    joules_per_bit = (instance.radio.uplink_j_per_bit or 0.0) + instance.radio.base_power_w / 8e6
    np.testing.assert_allclose(costs.sending[1], 8 * 4 * elements * joules_per_bit)
    assert (costs.protection > 0).all() and (costs.stem > 0).all()


def test_multiply_accumulates_of_a_block_by_hand() -> None:
    # 4 channels on 8 x 8 places widened three times, 5 x 5 depthwise with stride 2, and brought down to 6 channels.
    space = PrivacySpace(1, 8, classes=10, stem=4, head=16, blocks=(Block(4, 6, 8, 4, (InvertedResidual(5, 3),)),))
    operations = every_operation(space).operations
    macs = {operation.name: operation.macs for operation in operations}
    assert macs["stem"] == 64 * 9 * 1 * 4
    assert macs["0.0.expand"] == 64 * 4 * 12
    assert macs["0.0.depthwise"] == 16 * 25 * 12
    assert macs["0.0.project"] == 16 * 12 * 6
    # No activation follows the last convolution, and the noise comes to maps of the same size.
    assert [operation.name for operation in operations[-4:]] == ["0.0.project", "0.0.project:norm", "0.norm", "0.noise"]
    assert [operation.output_elements for operation in operations[-2:]] == [16 * 6, 16 * 6]


def test_the_reward_is_that_of_equation_a_6() -> None:
    assert reward(0.8, 0.1, 2.8, (0.05, 2.8), (0.0, 0.0)) == 0.8
    assert reward(0.8, 0.1, 1.4, (0.05, 2.8), (1.0, 2.0)) == pytest.approx(0.8 * 0.5 * 4)


def test_a_slower_network_or_a_larger_budget_is_worth_less() -> None:
    of = [
        reward(0.8, seconds, epsilon, (0.05, 2.8), (0.07, 0.1))
        for seconds, epsilon in ((0.05, 2.8), (0.06, 2.8), (0.05, 5.0))
    ]
    assert of[0] == pytest.approx(0.8) and of[1] < of[0] > of[2]


def test_weights_add_up_and_what_is_held_at_the_same_time_comes_on_top() -> None:
    # 4 channels of 8 x 8, widened to 12; then 6 channels of 4 x 4. Every normalisation has 2 weights a channel.
    blocks = (Block(4, 4, 8, 8, (InvertedResidual(3, 3), None)), Block(4, 6, 8, 4, (InvertedResidual(5, 3),)))
    space = PrivacySpace(1, 8, classes=10, stem=4, head=16, blocks=blocks)
    stem = 9 * 4 + 8
    first = (48 + 24) + (9 * 12 + 24) + (48 + 8)
    second = (48 + 24) + (25 * 12 + 24) + (72 + 12)
    assert needed_bytes(space, (0, 0), 1, whole_bytes(2)) == 2 * (
        stem + first + 256 + 768 + 768
    )  # depthwise, and the shortcut waits
    assert needed_bytes(space, (0, 0), 2, whole_bytes(4)) == 4 * (stem + first + second + 256 + 768 + 768)
    assert needed_bytes(space, (1, 0), 2, whole_bytes(4)) == 4 * (stem + second + 256 + 768)  # widening; nothing waits
    assert needed_bytes(space, (1, 0), 1, whole_bytes(4)) == 4 * (stem + 2 * 256)  # the map and its noise


def test_no_design_needs_less_than_the_smallest_or_more_than_the_largest() -> None:
    instance = instance_of(privynas_problem({"depth": 2, "kernel": "any", "precision": "fp16"}))
    every = itertools.product(*(range(len(block.operations)) for block in instance.space.blocks[:2]))
    needs = [needed_bytes(instance.space, each, 2, whole_bytes(2)) for each in every]
    for choose in (min, max):
        assert choose(needs) == instance.memory_bytes(extreme(instance.space, choose), 2)


def test_the_side_of_the_device_ends_at_the_cut() -> None:
    first, second = Block(4, 6, 8, 4, (InvertedResidual(5, 3),)), Block(6, 6, 4, 4, (InvertedResidual(3, 2), None))
    space = PrivacySpace(1, 8, classes=10, stem=4, head=16, blocks=(first, second))
    before = edge_drawing(space, (0, 0), 1)
    assert before.rows == edge_drawing(space, (0, 1), 2).rows  # the second block is cut off here and skipped there
    macs = {operation.name: operation.macs for operation in drawn_operations(before.rows)}
    assert macs["stem"] == 64 * 9 * 1 * 4
    assert {name for name in macs if name.startswith("block")} >= {
        "block1.expand",
        "block1.depthwise",
        "block1.project",
    }
    assert not any(name.startswith("block2") for name in macs)
