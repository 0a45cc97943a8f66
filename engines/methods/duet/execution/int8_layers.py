"""The user's top MLP in 8-bit integers, by torch's own post-training static quantisation (section 5.2.6.2)."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor, nn


class _Framed(nn.Module):
    """A stack of layers between the conversions to 8-bit integers and back."""

    def __init__(self, layers: nn.Sequential) -> None:
        super().__init__()
        from torch.ao.quantization import DeQuantStub, QuantStub

        self.enter, self.layers, self.leave = QuantStub(), layers, DeQuantStub()

    def forward(self, features: Tensor) -> Tensor:
        return self.leave(self.layers(self.enter(features)))


def quantised(layers: nn.Sequential, examples: Tensor) -> nn.Module:
    """Return the layers in int8, their ranges observed on `examples`, `n x inputs`.

    The result takes and gives 32-bit numbers; inside, inputs, weights and results are 8-bit integers.
    """
    import copy

    from torch.ao.quantization import convert, fuse_modules, get_default_qconfig, prepare

    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        copied = copy.deepcopy(layers).eval()
        pairs = [[str(n), str(n + 1)] for n in range(len(copied) - 1) if isinstance(copied[n + 1], nn.ReLU)]
        framed = _Framed(fuse_modules(copied, pairs) if pairs else copied).eval()
        framed.qconfig = get_default_qconfig("x86")
        prepared = prepare(framed)
        prepared(examples)
        found: nn.Module = convert(prepared)
    return found


def quantisation_error(layers: nn.Sequential, eight: nn.Module, features: Tensor) -> float:
    """Return the root of the mean square of the difference, over that of the exact results; 0 where those are 0."""
    with torch.no_grad():
        exact = layers(features)
        difference = eight(features) - exact
    scale = float(exact.square().mean().sqrt())
    return float(difference.square().mean().sqrt()) / scale if scale else 0.0
