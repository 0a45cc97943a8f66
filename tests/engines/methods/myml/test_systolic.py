"""Cycles of folds by hand."""

from engines.methods.myml.layers import Layer, LayerRemainder
from engines.methods.myml.systolic import cycles, error, forward, update, utilisation


def test_cycles_of_folds() -> None:
    assert cycles((64, 100, 64), 64) == 2 * 64 + 64 + 100 - 2
    assert cycles((65, 100, 129), 64) == 2 * 3 * 290
    assert cycles((0, 5, 5), 64) == 0


def test_products_of_a_convolution() -> None:
    layer = Layer("a", 1, 16, 32, (3, 3), (8, 8), (4, 4))
    kept = LayerRemainder(layer, 10, 20, 200)
    assert forward(kept, 8) == (8 * 16, 90, 20)
    assert error(kept, 8) == (8 * 64, 180, 10)
    assert update(kept, 8) == (90, 8 * 16, 20)
    assert 0 < utilisation([forward(kept, 8)], 64) < 1
