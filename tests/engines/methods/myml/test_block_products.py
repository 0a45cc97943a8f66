"""Block products in torch against their definition."""

import numpy as np
import pytest

from engines.methods.myml.block_floating_point import BlockFormat, decoded, dot, encoded

torch = pytest.importorskip("torch")

from engines.methods.myml.block_products import BlockProduct, block_convolution, block_linear, rounded  # noqa: E402


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
    with torch.random.fork_rng():
        torch.manual_seed(3)
        part = torch.nn.Conv2d(6, 6, 3, padding=1)
    images = torch.rand(2, 6, 8, 8, generator=torch.Generator().manual_seed(2))
    near, far = (block_convolution(images, part, BlockFormat(16, bits)) for bits in (7, 3))
    usual = part(images)
    assert (near - usual).abs().max() < 0.03 < (far - usual).abs().max()


def test_biases_are_added_in_32_bits_behind_the_product() -> None:
    part = torch.nn.Linear(2, 1)
    with torch.no_grad():
        part.weight.copy_(torch.tensor([[1.0, 0.5]]))
        part.bias.copy_(torch.tensor([0.1]))  # no number of three bits
    # 1 and 0.5 are exact in blocks of two values of 3 bits, 1.05 becomes 1.
    found = block_linear(torch.tensor([[1.05, 0.5]]), part, BlockFormat(2, 3))
    assert found.item() == pytest.approx(1.0 + 0.25 + 0.1, abs=1e-7)
