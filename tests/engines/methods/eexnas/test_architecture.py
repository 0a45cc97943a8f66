"""Layers, costs, memory and energy of small networks by hand; genes there and back."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.eexnas.architecture import Architecture, Block, architecture_of, laid_out
from engines.methods.eexnas.costs import Microcontroller, cost_of
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.space import GENES, architecture_of_genes, canonical, genes_of, unit_cube
from tests.engines.methods.eexnas.problems import eexnas_problem

SMALL = Architecture((Block(4, 3, 2, 2, 2), Block(8, 5, 1, 0, 0)), 16)


def test_layers_costs_and_memory_by_hand() -> None:
    laid = laid_out(SMALL, 1, 32, 2)
    assert laid is not None
    shapes = [(layer.kind, layer.shape_out, layer.work, layer.weights) for layer in laid.layers]
    assert shapes == [
        ("conv", (4, 16), 4 * 16 * 3, 4 * 4), ("pool", (4, 8), 4 * 8, 0), ("conv", (8, 8), 8 * 8 * 4 * 5, 8 * 21),
        ("linear", (16, 1), 64 * 16, 65 * 16), ("linear", (2, 1), 16 * 2, 17 * 2),
    ]  # fmt: skip
    assert laid.exit_at == 2 and (laid.exit.work, laid.exit.weights) == (4 * 8 + 4 * 2, 5 * 2)
    assert laid.arena_bytes == 4 * (4 * 16 + 4 * 8) == 4 * (4 * 8 + 8 * 8) and laid.static_bytes == laid.arena_bytes + 8
    device = Microcontroller(
        "",
        clock_hz=1e6,
        power_w=2.0,
        ram_bytes=1e5,
        cycles_per_mac=10.0,
        cycles_per_add=1.0,
        cycles_per_word=2.0,
        overhead_bytes=100.0,
    )
    cost = cost_of(laid, device)
    assert cost.early_s == pytest.approx(1e-5 * (192 + 32 + 40))
    assert cost.alone_s == pytest.approx(1e-5 * (192 + 32 + 1280 + 1024 + 32))
    assert cost.late_s - cost.alone_s == pytest.approx(1e-5 * 40)
    assert cost.mean_s(0.25) == pytest.approx(0.25 * cost.early_s + 0.75 * cost.late_s)
    assert device.ram(laid) == laid.static_bytes + 100
    assert (
        laid_out(Architecture((Block(4, 3, 4, 4, 4), Block(4, 3, 4, 4, 4)), 0), 1, 32, 2) is None
    )  # one sample, windows of four


def test_a_binary_network_by_hand() -> None:
    laid = laid_out(replace(SMALL, binary=True), 2, 32, 3)
    assert laid is not None
    told = [(each.operation, each.work, each.bytes_in, each.bytes_out, each.weight_bytes) for each in laid.layers]
    assert told == [
        ("add", 4 * 16 * 6, 0, 64, 4 * (2 * 2 + 4)), ("word", 8, 64, 32, 0), ("word", 8 * 8 * 5, 32, 32, 8 * (5 * 4 + 4)),
        ("word", 16 * 8, 32, 4, 16 * (8 * 4 + 4)), ("word", 3, 4, 12, 3 * (4 + 8)),
    ]  # fmt: skip
    assert (laid.exit.work, laid.exit.weight_bytes) == (8 + 3, 3 * (4 + 8))
    assert laid.static_bytes == (64 + 32) + 2 * 2 * 32 + 3 * 4
    device = Microcontroller(
        "", 1e6, 2.0, 1e5, cycles_per_mac=10.0, cycles_per_add=1.0, cycles_per_word=2.0, overhead_bytes=0.0
    )
    assert cost_of(laid, device).early_s == pytest.approx(1e-6 * (384 + 2 * 8 + 2 * 11))
    assert laid.architecture.name.endswith("-binary")


def test_genes_and_decisions_come_back() -> None:
    space = instance_of(eexnas_problem()).space
    drawn = space.draw(30, np.random.default_rng(1))
    assert drawn.shape == (30, GENES) and unit_cube(drawn).min() >= 0 and unit_cube(drawn).max() <= 1
    for genes in drawn:
        architecture = architecture_of_genes(genes)
        assert architecture_of(architecture.decision) == architecture
        assert (genes_of(architecture) == genes).all() and (canonical(genes) == genes).all()
        assert space.ram_of(space.smallest) <= space.ram_of(space.laid(genes)) <= space.ram_bytes  # type: ignore[arg-type]
