"""Ready-made spaces: the published one on ViG-S, a pyramid of it, and small ones that a computer without a GPU can train.

Source: odema-2023 Table 1 and section 5.1.1 for `vig_s` (16 blocks of width 320 on 14 x 14 nodes; 12, 16, 20, 24 neighbours);
Han et al., NeurIPS 2022, for the widths of pyramids. The small ones keep the proportions and are ours.
"""

from __future__ import annotations

from typing import Literal

from engines.contract.errors import ProblemError
from engines.supernets.space import SupernetSpace
from engines.workloads.vision_graph import HEAD_CHANNELS, SIDE, SUPERBLOCK_NEIGHBOURS, VIG_S_CHANNELS

Shape = Literal["isotropic", "pyramid"]
PUBLISHED_HIDDEN = (96, 192, 320)
_LEAST_SIDE = 2
_PYRAMID_POOLING = (4, 2, 1, 1)


def vig_s_space(classes: int, image_channels: int = 3) -> SupernetSpace:
    """Return the published space for images of 224 x 224 pixels."""
    width = VIG_S_CHANNELS
    return SupernetSpace(
        image_channels=image_channels,
        image_side=SIDE,
        stem=((width // 8, 2), (width // 4, 2), (width // 2, 2), (width, 2), (width, 1)),
        widths=(width,) * 4,
        neighbours=SUPERBLOCK_NEIGHBOURS,
        dilations=(1, 2, 3, 4),
        poolings=(1,) * 4,
        hidden=(PUBLISHED_HIDDEN,) * 4,
        head_channels=HEAD_CHANNELS,
        classes=classes,
    )


def pyramid_vig_space(classes: int, image_channels: int = 3) -> SupernetSpace:
    """Return Pyramid ViG-S's widths with four-block superblocks (sections 5.1.5 and 5.7.1), for images of 224 x 224 pixels."""
    widths = (80, 160, 400, 640)
    return SupernetSpace(
        image_channels=image_channels,
        image_side=SIDE,
        stem=((40, 2), (80, 2), (80, 1)),
        widths=widths,
        neighbours=(9,) * 4,
        dilations=(1, 2, 3, 4),
        poolings=_PYRAMID_POOLING,
        hidden=tuple((width, 2 * width, 4 * width) for width in widths),
        head_channels=HEAD_CHANNELS,
        classes=classes,
    )


def small_space(
    image_channels: int, image_side: int, classes: int, width: int = 24, shape: Shape = "isotropic", deepest: int = 4
) -> SupernetSpace:
    """Return a space in the published one's proportions, at most 8 x 8 nodes.

    Args:
        image_channels: channels of the images.
        image_side: side of the images, in pixels.
        classes: number of classes.
        width: channels of the first superblock, a multiple of 4 (the operators' groups).
        deepest: blocks that a superblock has at most; the two numbers below it are the other choices.
        shape: isotropic, or a pyramid whose width doubles where the grid halves.

    Raises:
        ProblemError: the images are too small.
    """
    if width % 4 or width < 4:
        raise ProblemError("params.width", width, "a multiple of 4, at least 4")
    bits = (image_side - 1).bit_length()
    halvings = max(1, bits - 3) if shape == "isotropic" else max(0, bits - 4)
    stem = [(max(4, width // 2 ** (halvings - at)), 2) for at in range(halvings)]
    stem = [*stem[:-1], (width, 2), (width, 1)] if stem else [(width, 1), (width, 1)]
    widths = (width,) * 4 if shape == "isotropic" else (width, 2 * width, 4 * width, 4 * width)
    first = image_side // 2**halvings
    sides = (first,) * 4 if shape == "isotropic" else (first, first // 2, first // 4, first // 4)
    if min(sides) < _LEAST_SIDE:
        got = f"{shape} for images of {image_side} pixels"
        raise ProblemError("params.shape", got, "isotropic, or any shape for larger images")
    nodes = [side**2 for side in sides]
    neighbours = tuple(max(2, min(published, count * share // 49)) for published, count, share in
                       zip(SUPERBLOCK_NEIGHBOURS, nodes, (9, 12, 15, 18), strict=True))  # fmt: skip
    dilations = tuple(max(1, min(at + 1, count // (2 * near))) for at, (count, near) in
                      enumerate(zip(nodes, neighbours, strict=True)))  # fmt: skip
    return SupernetSpace(
        image_channels=image_channels,
        image_side=image_side,
        stem=tuple(stem),
        widths=widths,
        neighbours=neighbours,
        dilations=dilations,
        poolings=(1,) * 4,
        hidden=tuple((each, 2 * each, 4 * each) for each in widths),
        head_channels=4 * width,
        classes=classes,
        depths=tuple(range(max(1, deepest - 2), deepest + 1)),
    )
