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
_EXPONENT_BITS = 0x7F800000  # of a 32-bit number: what they leave is the power of two at or below it


def rounded(values: Tensor, form: BlockFormat, axis: int = 1) -> Tensor:
    """Return a matrix `m x n` as blocks along an axis keep it, as `block_floating_point.encoded` defines."""
    count = values.shape[axis]
    blocks = -(-count // form.block)
    short = blocks * form.block - count
    padded = functional.pad(values, (0, short) if axis == 1 else (0, 0, 0, short)) if short else values
    parts = padded.unflatten(axis, (blocks, form.block))
    found = parts.abs()
    largest = found.amax(dim=axis + 1, keepdim=True).clamp_min_(_LEAST)
    below = largest.view(torch.int32).bitwise_and_(_EXPONENT_BITS).view(torch.float32)
    step = below * 2.0 ** (1 - form.mantissa_bits)
    torch.mul(parts, step.reciprocal(), out=found)  # by a power of two: exact
    found.round_().clamp_(-form.largest, form.largest).mul_(step)
    return found.flatten(axis, axis + 1).narrow(axis, 0, count)


class BlockProduct(torch.autograd.Function):
    """`first (m x n)` times the transpose of `second (k x n)`, all three products in blocks."""

    @staticmethod
    def forward(context: Any, first: Tensor, second: Tensor, form: BlockFormat) -> Tensor:
        """Return an array of shape `m x k`."""
        context.save_for_backward(first, second)
        context.form = form
        return torch.mm(rounded(first, form), rounded(second, form).t())

    @staticmethod
    def backward(context: Any, *errors: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        """Return the gradients of both operands."""
        first, second = context.saved_tensors
        form, error = context.form, errors[0]
        of_first = None
        if context.needs_input_grad[0]:
            of_first = torch.mm(rounded(error, form), rounded(second, form, 0))
        if not context.needs_input_grad[1]:
            return of_first, None, None
        return of_first, torch.mm(rounded(error, form, 0).t(), rounded(first, form, 0)), None


def block_linear(values: Tensor, part: nn.Linear, form: BlockFormat) -> Tensor:
    """Return the layer in blocks; biases are added in 32 bits."""
    found: Tensor = BlockProduct.apply(values, part.weight, form)
    return found + part.bias


def block_convolution(images: Tensor, part: nn.Conv2d, form: BlockFormat) -> Tensor:
    """Return a convolution of stride 1 as a product of windows and filters in blocks; biases are added in 32 bits."""
    count, _, height, width = images.shape
    windows = functional.unfold(images, part.kernel_size, padding=part.padding)
    flat = windows.transpose(1, 2).reshape(-1, windows.shape[1])
    found: Tensor = BlockProduct.apply(flat, part.weight.flatten(1), form)
    return (found + part.bias).reshape(count, height, width, -1).permute(0, 3, 1, 2).contiguous()
