"""Real smaller networks, and channels of least norm."""

import numpy as np
import pytest

from engines.methods.myml.bookkeeping import convolved, packed
from engines.methods.myml.layers import Layer, four_blocks

torch = pytest.importorskip("torch")
from torch.nn import functional  # noqa: E402

from engines.methods.myml.network import Blocks, factors_of, lowest_removed, masked, smaller  # noqa: E402

LAYERS, HALVED = four_blocks(1, (8, 8), 10, 6, 2)


def network() -> Blocks:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return Blocks(LAYERS, HALVED)


@pytest.mark.parametrize("asymmetric", [False, True])
def test_a_smaller_network_says_what_the_one_with_zeros_says(asymmetric: bool) -> None:
    whole = network()
    masks = [
        np.ones((layer.filters, layer.channels), dtype=bool)
        if layer.first
        else lowest_removed(whole, number, layer.channels // 3, asymmetric, "l2")
        for number, layer in enumerate(LAYERS)
    ]
    if asymmetric:
        masks[4][:, 2] = False  # a channel that no filter uses
    small = smaller(whole, LAYERS, masks)
    masked(whole, factors_of(whole, masks))
    images = torch.rand(16, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(small(images), whole(images), atol=1e-5, rtol=1e-4)
    count, before = (sum(each.numel() for each in net.parameters()) for net in (small, whole))
    assert count < (before if asymmetric else 0.3 * before)
    assert small.parts[4].weight.shape[1] < whole.parts[4].weight.shape[1]


def test_the_stored_channels_of_a_convolution_give_its_sums() -> None:
    whole, number = network(), 3
    mask = lowest_removed(whole, number, 5, True, "l2")
    whole_others = [np.ones((each.filters, each.channels), bool) for each in LAYERS]
    masked(whole, factors_of(whole, [mask if at == number else each for at, each in enumerate(whole_others)]))
    part = whole.parts[number]
    images = torch.rand(1, LAYERS[number].channels, 4, 4, generator=torch.Generator().manual_seed(1))
    windows = functional.unfold(images, 3, padding=1)[0].reshape(LAYERS[number].channels, 9, -1).numpy()
    ours = convolved(windows.astype(float), packed(part.weight.detach().numpy().astype(float), mask))
    expected = (part(images) - part.bias[:, None, None]).detach().numpy()[0].reshape(LAYERS[number].filters, -1)
    np.testing.assert_allclose(ours, expected, atol=1e-5)
    assert mask.sum() == 5 * LAYERS[number].filters


def test_channels_of_least_norm_go() -> None:
    whole = network()
    with torch.no_grad():
        whole.parts[2].weight[:, 1] *= 0.01
        whole.parts[2].weight[0, 4] *= 0.001
    assert not lowest_removed(whole, 2, 5, False, "l1")[:, 1].any()
    assert not lowest_removed(whole, 2, 5, True, "l2")[0, 4]


@pytest.mark.parametrize("kernel", [(3, 1), (1, 5), (5, 3)])
def test_a_convolution_keeps_the_size_of_its_images(kernel: tuple[int, int]) -> None:
    layers = (Layer("One", 1, 1, 2, kernel, (6, 7), (6, 7), True), Layer("Classifier", 1, 2, 3, (1, 1), (1, 1), (1, 1)))
    net, image = Blocks(layers, (False, False)), torch.zeros(1, 1, 6, 7)
    image[0, 0, 2, 3] = 1.0
    with torch.no_grad():
        net.parts[0].weight.fill_(1.0)
        found = net(image, end=1)[0, 0]
    # What is in one place reaches half a kernel to every side.
    expected = torch.zeros(6, 7)
    expected[2 - kernel[0] // 2 : 3 + kernel[0] // 2, 3 - kernel[1] // 2 : 4 + kernel[1] // 2] = 1.0
    torch.testing.assert_close(found, expected)
