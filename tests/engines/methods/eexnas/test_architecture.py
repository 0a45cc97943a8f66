"""Layers and memory of small networks by hand."""

from dataclasses import replace

from engines.methods.eexnas.architecture import Architecture, Block, laid_out

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
    assert laid.architecture.name.endswith("-binary")
