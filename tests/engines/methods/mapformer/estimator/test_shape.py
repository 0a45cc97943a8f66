from dataclasses import replace

from engines.methods.mapformer.estimator.shape import EstimatorShape


def test_every_layer_has_the_same_learnt_numbers_and_every_clock_one_embedding() -> None:
    shape = EstimatorShape(units=3, clocks=12)
    deeper = [replace(shape, layers=count).weight_count for count in (4, 5, 6)]
    assert deeper[1] - deeper[0] == deeper[2] - deeper[1] == 4 * (64 * 64 + 64) + 2 * 64 * 256 + 64 + 256 + 4 * 64
    assert replace(shape, clocks=13).weight_count - shape.weight_count == shape.width
