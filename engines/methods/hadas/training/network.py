"""The backbone and its exits as torch modules, and the same backbone as a document. Imported only where torch is needed."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engines.methods.hadas.exits import EXIT_KERNEL
from engines.methods.hadas.training.shapes import BackboneShape


class Backbone(nn.Module):
    """Blocks of convolution, batch normalisation and ReLU; the mean over the map and a linear classifier."""

    def __init__(self, shape: BackboneShape) -> None:
        super().__init__()
        before = shape.channels
        blocks = []
        for channels, stride in zip(shape.widths, shape.strides, strict=True):
            convolution = nn.Conv2d(before, channels, 3, stride=stride, padding=1, bias=False)
            blocks.append(nn.Sequential(convolution, nn.BatchNorm2d(channels), nn.ReLU()))
            before = channels
        self.blocks = nn.ModuleList(blocks)
        self.classifier = nn.Linear(before, shape.classes)

    def maps(self, images: Tensor) -> list[Tensor]:
        """Return the output of each block."""
        found = []
        for block in self.blocks:
            images = block(images)
            found.append(images)
        return found

    def forward(self, images: Tensor) -> Tensor:
        """Return the outputs of its own end, shape `b x classes`."""
        return self.classifier(self.maps(images)[-1].mean((2, 3)))


class Exit(nn.Module):
    """The published exit: convolution, batch normalisation, LeakyReLU, mean, classifier."""

    def __init__(self, channels: int, side: int, exit_channels: int, classes: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(channels, exit_channels, min(EXIT_KERNEL, side), bias=False)
        self.norm = nn.BatchNorm2d(exit_channels)
        self.classifier = nn.Linear(exit_channels, classes)

    def forward(self, features: Tensor) -> Tensor:
        """Return the outputs before the softmax, shape `b x classes`."""
        found = nn.functional.leaky_relu(self.norm(self.convolution(features)))
        return self.classifier(found.mean((2, 3)))


class MultiExit(nn.Module):
    """A backbone with an exit after every block but the last."""

    def __init__(self, shape: BackboneShape, exit_channels: int) -> None:
        super().__init__()
        self.backbone = Backbone(shape)
        self.exits = nn.ModuleList(
            Exit(channels, side, exit_channels, shape.classes)
            for channels, side in zip(shape.widths[:-1], shape.sides[:-1], strict=True)
        )

    def forward(self, images: Tensor) -> Tensor:
        """Return the outputs of all ends, the backbone's own the last, shape `b x n x classes`."""
        maps = self.backbone.maps(images)
        early = [each(features) for each, features in zip(self.exits, maps, strict=False)]
        return torch.stack([*early, self.backbone.classifier(maps[-1].mean((2, 3)))], dim=1)
