"""Real smaller networks, channels of least norm, and block products against their definition."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.myml.block_floating_point import BlockFormat, decoded, dot, encoded
from engines.methods.myml.bookkeeping import convolved, packed
from engines.methods.myml.layers import four_blocks

torch = pytest.importorskip("torch")
from torch.nn import functional  # noqa: E402

from engines.methods.myml.block_products import BlockProduct, block_convolution, rounded  # noqa: E402
from engines.methods.myml.network import Blocks, lowest_removed, masked, smaller  # noqa: E402

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
    masked(whole, masks)
    images = torch.rand(16, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(small(images), whole(images), atol=1e-5, rtol=1e-4)
    count, before = (sum(each.numel() for each in net.parameters()) for net in (small, whole))
    assert count < (before if asymmetric else 0.3 * before)
    assert small.parts[4].weight.shape[1] < whole.parts[4].weight.shape[1]


def test_the_stored_channels_of_a_convolution_give_its_sums() -> None:
    whole, number = network(), 3
    mask = lowest_removed(whole, number, 5, True, "l2")
    masked(
        whole,
        [mask if at == number else np.ones((each.filters, each.channels), bool) for at, each in enumerate(LAYERS)],
    )
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


@pytest.mark.parametrize("form", [BlockFormat(64, 7), BlockFormat(8, 3)])
def test_blocks_in_torch_are_those_of_the_definition(form: BlockFormat) -> None:
    values = np.random.default_rng(1).standard_normal((5, 150)).astype(np.float32)
    values[2] = 0.0
    np.testing.assert_array_equal(
        rounded(torch.from_numpy(values), form).numpy(), decoded(*encoded(values.astype(float), form), form)
    )


def test_a_product_and_both_its_gradients_are_in_blocks() -> None:
    form, random = BlockFormat(8, 7), np.random.default_rng(2)
    a, b, error = (random.standard_normal(shape).astype(np.float32) for shape in ((3, 20), (4, 20), (3, 4)))
    first, second = torch.from_numpy(a).requires_grad_(), torch.from_numpy(b).requires_grad_()
    found = BlockProduct.apply(first, second, form)
    assert found[1, 2].item() == pytest.approx(dot(a[1].astype(float), b[2].astype(float), form), rel=1e-6)
    found.backward(torch.from_numpy(error))
    assert first.grad[2, 5].item() == pytest.approx(dot(error[2].astype(float), b[:, 5].astype(float), form), rel=1e-6)
    assert second.grad[3, 5].item() == pytest.approx(
        dot(error[:, 3].astype(float), a[:, 5].astype(float), form), rel=1e-6
    )


def test_a_convolution_in_fine_blocks_is_near_the_usual_one() -> None:
    part = network().parts[1]
    images = torch.rand(2, 6, 8, 8, generator=torch.Generator().manual_seed(2))
    near, far = (block_convolution(images, part, BlockFormat(16, bits)) for bits in (7, 3))
    usual = part(images)
    assert (near - usual).abs().max() < 0.03 < (far - usual).abs().max()
    assert replace(BlockFormat(16, 7), block=4).largest == 127
