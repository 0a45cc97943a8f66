"""Products of matrices in block floating point with their gradients, in torch. Imported only where torch is needed.

Both operands of every product have blocks along the sum: forward along channels and taps, errors along filters, updates along the
positions of all images (goyal-2023 figure 4.10). Mantissas times mantissas are exact in 32 bits up to blocks of 1,024 of 7 bits.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from engines.methods.myml.block_floating_point import BlockFormat

_LEAST = 2.0**-110  # below it blocks are zero: the exponent has 8 bits


def rounded(values: Tensor, form: BlockFormat) -> Tensor:
    """A matrix `m x n` as blocks along the second axis keep it, as `block_floating_point.encoded` defines."""
    rows, count = values.shape
    blocks = -(-count // form.block)
    short = blocks * form.block - count
    padded = functional.pad(values, (0, short)) if short else values
    parts = padded.reshape(rows, blocks, form.block)
    largest = parts.abs().amax(dim=2, keepdim=True).clamp_min(_LEAST)
    mantissa, _ = torch.frexp(largest)
    step = largest / mantissa * 2.0**-form.mantissa_bits  # a power of two, exactly
    found = (parts / step).round_().clamp_(-form.largest, form.largest) * step
    return found.reshape(rows, blocks * form.block)[:, :count]


class BlockProduct(torch.autograd.Function):
    """`first (m x n)` times the transpose of `second (k x n)`, all three products in blocks."""

    @staticmethod
    def forward(context: Any, first: Tensor, second: Tensor, form: BlockFormat) -> Tensor:
        """Shape `m x k`."""
        context.save_for_backward(first, second)
        context.form = form
        return torch.mm(rounded(first, form), rounded(second, form).t())

    @staticmethod
    def backward(context: Any, *errors: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        """Errors of both operands."""
        first, second = context.saved_tensors
        form, error = context.form, errors[0]
        of_first = None
        if context.needs_input_grad[0]:
            of_first = torch.mm(rounded(error, form), rounded(second.t().contiguous(), form).t())
        if not context.needs_input_grad[1]:
            return of_first, None, None
        down = rounded(error.t().contiguous(), form)
        of_second = torch.mm(down, rounded(first.t().contiguous(), form).t())
        return of_first, of_second, None


def block_linear(values: Tensor, part: nn.Linear, form: BlockFormat) -> Tensor:
    """The layer in blocks; biases are added in 32 bits."""
    found: Tensor = BlockProduct.apply(values, part.weight, form)
    return found + part.bias


def block_convolution(images: Tensor, part: nn.Conv2d, form: BlockFormat) -> Tensor:
    """A convolution of stride 1 as a product of windows and filters in blocks; biases are added in 32 bits."""
    count, _, height, width = images.shape
    windows = functional.unfold(images, part.kernel_size, padding=part.padding)
    flat = windows.transpose(1, 2).reshape(-1, windows.shape[1])
    found: Tensor = BlockProduct.apply(flat, part.weight.flatten(1), form)
    return (found + part.bias).reshape(count, height, width, -1).permute(0, 3, 1, 2).contiguous()
