"""Vision transformers that encode images: DINOv2, DINOv3, CLIP and SigLIP, and the text encoders of the last two.

Source: transformers 5.24 (Apache-2.0) `dinov2`, `dinov3_vit`, `dinov3_convnext`, `clip`, `siglip`; sizes as their published
configurations. Mask tokens, which only training reads, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.attention import Attention, CrossAttention, encoder_block, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.language import embedding
from engines.workloads.families.network_builder import Drawing, Row
from engines.workloads.families.vision_transformers import convnext_stages

_RATIO = 4
_SOURCE = "{}; transformers 5.24 (Apache-2.0); drawn from the definition"


@dataclass(frozen=True)
class VitShape:
    """A vision transformer for `side` x `side` inputs in patches of `patch` x `patch`.

    Attributes:
        depth, width, heads: blocks, features of a token, attention heads.
        hidden: features inside a feed-forward part; 0: four times `width`.
        gated, scaled: as in `encoder_block`.
        learnt: tokens before the patches (a class token, registers).
        rotary: whether queries and keys are turned by their positions; else positions are learnt and added.
        patch_bias: whether the convolution of the patches has a bias.
        normalised: whether the tokens are normalised before the first block.
    """

    side: int
    patch: int
    depth: int
    width: int
    heads: int
    hidden: int = 0
    gated: bool = False
    scaled: bool = False
    learnt: int = 1
    rotary: bool = False
    patch_bias: bool = True
    normalised: bool = False


def draw_patches(drawing: Drawing, shape: VitShape) -> None:
    """Add the patches as tokens behind the learnt ones, with their positions."""
    width = shape.width
    drawing.conv("patches", width, shape.patch, stride=shape.patch, pad=0, bias=shape.patch_bias, norm=False, act=False)
    drawing.shape = (width, drawing.places + shape.learnt, 1)
    if shape.learnt:
        drawing.moved("class_token", "concat", weights=shape.learnt * width)
    if not shape.rotary:
        drawing.add("positions", weights=drawing.size)
    if shape.normalised:
        drawing.norm("norm_before")


def draw_blocks(drawing: Drawing, shape: VitShape, first: int, last: int) -> None:
    """Add the blocks from `first` up to, without, `last`."""
    attention = Attention(shape.heads)
    if shape.rotary:  # keys have no bias
        attention = Attention(shape.heads, joint=False, biased=(True, False, True), rotated=True)
    hidden = shape.hidden or _RATIO * shape.width
    for block in range(first, last):
        encoder_block(drawing, f"block{block}", attention, hidden, gated=shape.gated, scaled=shape.scaled)


def vit_features(shape: VitShape) -> list[Row]:
    """Return the encoder that gives out all tokens, normalised (DINOv2, DINOv3)."""
    drawing = Drawing((3, shape.side, shape.side))
    draw_patches(drawing, shape)
    draw_blocks(drawing, shape, 0, shape.depth)
    drawing.norm("norm")
    return drawing.rows


def convnext_features(depths: Sequence[int], widths: Sequence[int]) -> list[Row]:
    """Return the ConvNeXt of DINOv3: the mean and all places of the last map as tokens, normalised."""
    drawing = convnext_stages(depths, widths)
    drawing.shape = (drawing.channels, drawing.places, 1)
    places = drawing.feature
    drawing.moved("mean", "pool", written=drawing.channels)
    mean = (drawing.last, (drawing.channels, 1, 1))
    drawing.reading(mean[0], places[0])
    drawing.shape = (drawing.channels, drawing.places + 1, 1)
    drawing.moved("tokens", "concat")
    drawing.norm("norm")
    return drawing.rows


def clip_image(shape: VitShape, features: int) -> list[Row]:
    """Return CLIP's image encoder: the class token, projected to `features`."""
    drawing = Drawing((3, shape.side, shape.side))
    draw_patches(drawing, shape)
    draw_blocks(drawing, shape, 0, shape.depth)
    drawing.shape = (shape.width, 1, 1)
    drawing.norm("norm.of_token")
    drawing.linear("projection", features, bias=False)
    return drawing.rows


def siglip_image(shape: VitShape) -> list[Row]:
    """Return SigLIP's image encoder: a learnt query attends to all tokens."""
    drawing = Drawing((3, shape.side, shape.side))
    draw_patches(drawing, shape)
    draw_blocks(drawing, shape, 0, shape.depth)
    drawing.norm("norm")
    tokens = drawing.feature
    drawing.shape = (shape.width, 1, 1)
    drawing.moved("probe.of_token", "eltwise", weights=shape.width)
    CrossAttention(shape.heads, tokens).draw(drawing, "probe.attention")
    entry = drawing.last
    drawing.norm("probe.norm")
    feed_forward(drawing, "probe.mlp", shape.hidden or _RATIO * shape.width)
    drawing.add_to("probe.add", entry)
    return drawing.rows


@dataclass(frozen=True)
class TextShape:
    """A text encoder.

    Attributes:
        depth, width, heads: blocks, features of a token, attention heads.
        vocabulary: words of the table.
        tokens: tokens of a text, all of which are computed.
        features: features of the result; 0: all tokens are given out.
        hidden: features inside a feed-forward part; 0: four times `width`.
        masked: whether a token attends to those before it alone.
        bias: whether the projection of the result has a bias.
    """

    depth: int
    width: int
    heads: int
    vocabulary: int
    tokens: int
    features: int
    hidden: int = 0
    masked: bool = True
    bias: bool = False


def text_encoder(shape: TextShape) -> list[Row]:
    """Return the text encoder of CLIP or SigLIP: one token of the last block, projected."""
    drawing = Drawing((shape.width, shape.tokens, 1))
    embedding(drawing, "embeddings.words", shape.vocabulary)
    words = drawing.last
    embedding(drawing, "embeddings.positions", shape.tokens)
    drawing.add_to("embeddings.add", words)
    attention = Attention(shape.heads, scored=(("mask", shape.tokens, 0),) if shape.masked else ())
    for block in range(shape.depth):
        encoder_block(drawing, f"block{block}", attention, shape.hidden or _RATIO * shape.width)
    drawing.norm("norm")
    if shape.features:
        drawing.shape = (shape.width, 1, 1)
        drawing.linear("head", shape.features, bias=shape.bias)
    return drawing.rows


DINOV2 = {
    "s": VitShape(518, 14, 12, 384, 6, scaled=True),
    "b": VitShape(518, 14, 12, 768, 12, scaled=True),
    "l": VitShape(518, 14, 24, 1024, 16, scaled=True),
    "g": VitShape(518, 14, 40, 1536, 24, 4096, gated=True, scaled=True),
}
_DINOV3 = {
    "s": VitShape(224, 16, 12, 384, 6, scaled=True, learnt=5, rotary=True),
    "s-plus": VitShape(224, 16, 12, 384, 6, gated=True, scaled=True, learnt=5, rotary=True),
    "b": VitShape(224, 16, 12, 768, 12, scaled=True, learnt=5, rotary=True),
    "l": VitShape(224, 16, 24, 1024, 16, scaled=True, learnt=5, rotary=True),
}
_CONVNEXT = {
    "tiny": ((3, 3, 9, 3), (96, 192, 384, 768)),
    "small": ((3, 3, 27, 3), (96, 192, 384, 768)),
    "base": ((3, 3, 27, 3), (128, 256, 512, 1024)),
    "large": ((3, 3, 27, 3), (192, 384, 768, 1536)),
}
_CLIP = {
    "b-16": (VitShape(224, 16, 12, 768, 12, patch_bias=False, normalised=True), TextShape(12, 512, 8, 49408, 77, 512)),
    "b-32": (VitShape(224, 32, 12, 768, 12, patch_bias=False, normalised=True), TextShape(12, 512, 8, 49408, 77, 512)),
    "l-14": (VitShape(224, 14, 24, 1024, 16, patch_bias=False, normalised=True), TextShape(12, 768, 12, 49408, 77, 768)),
}  # fmt: skip
_SIGLIP = {
    "b-16": (VitShape(224, 16, 12, 768, 12, learnt=0), TextShape(12, 768, 12, 32000, 64, 768, masked=False, bias=True)),
    "so400m-14": (
        VitShape(384, 14, 27, 1152, 16, 4304, learnt=0),
        TextShape(27, 1152, 16, 32000, 64, 1152, 4304, masked=False, bias=True),
    ),
}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of the encoders."""
    summary = "Image features, {0}x{0}x3: a token for each patch."
    for size, shape in DINOV2.items():
        source = _SOURCE.format("facebookresearch/dinov2 (Apache-2.0), configuration dinov2-" + size)
        title, short = f"DINOv2 ViT-{size.upper()}/14", f"DINOv2-{size.upper()}"
        yield drawn_network(
            f"dinov2-{size}", f"{title}, 518x518", short, summary.format(518), source, partial(vit_features, shape)
        )
    for size, shape in _DINOV3.items():
        source = _SOURCE.format(f"configuration dinov3-vit{size.replace('-', '')}16-pretrain-lvd1689m")
        name = size.upper().replace("-PLUS", "+")
        title, short = f"DINOv3 ViT-{name}/16", f"DINOv3-{name}"
        yield drawn_network(
            f"dinov3-{size}", f"{title}, 224x224", short, summary.format(224), source, partial(vit_features, shape)
        )
    for size, widths in _CONVNEXT.items():
        source = _SOURCE.format(f"configuration dinov3-convnext-{size}-pretrain-lvd1689m")
        title, short = f"DINOv3 ConvNeXt {size}, 224x224", f"DINOv3 CN-{size[0].upper()}"
        slug, draw = f"dinov3-convnext-{size}", partial(convnext_features, *widths)
        yield drawn_network(slug, title, short, summary.format(224), source, draw)
    yield from _pairs("clip", "CLIP", _CLIP)
    yield from _pairs("siglip", "SigLIP", _SIGLIP)


def _pairs(family: str, words: str, sizes: dict[str, tuple[VitShape, TextShape]]) -> Iterator[LazyNetwork]:
    """Yield image and text encoders."""
    for size, (image, text) in sizes.items():
        letter, _, patch = size.partition("-")
        name = f"ViT-{letter.upper().replace('SO400M', 'So400m')}/{patch}"
        short = (
            f"{words.removesuffix('IP') if letter[0] == 's' else words} {letter.upper().removesuffix('400M')}{patch}"
        )
        source = _SOURCE.format(f"open_clip (MIT) and the configuration of {words} {name}")
        summary = (
            f"Image and text: features of an image of {image.side}x{image.side}x3, to compare with those of texts."
        )
        draw = partial(clip_image, image, text.features) if family == "clip" else partial(siglip_image, image)
        title = f"{words} {name} image encoder, {image.side}x{image.side}"
        yield drawn_network(f"{family}-{size}-image", title, f"{short} I", summary, source, draw)
        summary = f"Image and text: features of a text of {text.tokens} tokens, to compare with those of images."
        title = f"{words} {name} text encoder, {text.tokens} tokens"
        yield drawn_network(f"{family}-{size}-text", title, f"{short} T", summary, source, partial(text_encoder, text))
