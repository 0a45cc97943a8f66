"""The network by shape, and bytes of what is left of a layer, by hand."""

from engines.methods.myml.layers import Layer, LayerRemainder, four_blocks, totals, whole

LAYERS, HALVED = four_blocks(1, (8, 8), 10, 4, 1)
LAYER = Layer("", 2, channels=4, filters=3, kernel=(3, 3), size_in=(5, 5), size_out=(5, 5))


def test_the_network_has_four_blocks_and_a_classifier() -> None:
    assert [(each.channels, each.filters, each.size_out, each.group) for each in LAYERS] == [
        (1, 4, (8, 8), 4), (4, 8, (4, 4), 3), (8, 16, (2, 2), 2), (16, 16, (2, 2), 1), (16, 10, (1, 1), 1),
    ]  # fmt: skip
    assert HALVED == (True, True, False, False, False)


def test_images_too_small_to_halve_stay_as_they_are() -> None:
    layers, halved = four_blocks(3, (6, 3), 2, 4, 2)
    assert halved == (False,) * 9 and {each.size_out for each in layers[:-1]} == {(6, 3)}
    assert [each.first for each in layers] == [True] + [False] * 8


def test_a_whole_layer_by_hand() -> None:
    kept = whole(LAYER)
    assert (LAYER.weights, LAYER.macs) == (4 * 3 * 9, 4 * 3 * 9 * 25) == (kept.weights, kept.macs)
    assert kept.size_bytes(dense=True) == kept.size_bytes(dense=False) == 108 + 3 * 4
    assert totals([kept, kept]) == (216, 5400)


def test_zeros_are_skipped_or_stored() -> None:
    kept = LayerRemainder(LAYER, channels=3, filters=2, pairs=4, asymmetric=True)
    assert (kept.weights, kept.macs) == (36, 900)
    # An offset, a count for each filter and a difference to each next channel, of two bytes each.
    assert kept.pointer_bytes == 2 * (1 + 2 + 3)
    assert kept.size_bytes(dense=False) == 36 + 8 + 12 and kept.size_bytes(dense=True) == 54 + 8


def test_a_layer_of_which_nothing_is_left_has_no_differences() -> None:
    assert LayerRemainder(LAYER, channels=0, filters=2, pairs=0, asymmetric=True).pointer_bytes == 2 * (1 + 2)
