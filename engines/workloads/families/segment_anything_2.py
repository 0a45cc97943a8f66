"""SAM 2: Hiera image encoders, the mask decoder, and the memory through which a mask follows an object in a video.

Source: Ravi et al. 2024; transformers 5.24 (Apache-2.0) `sam2`, `sam2_video`; sizes of sam2.1-hiera-tiny, -small, -base-plus and
-large. The memory holds the published number of maps: six frames before this one and the prompted one, with sixteen pointers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.attention import Attention, AttentionProducts, CrossAttention, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.segment_anything import MAP_SIDE, MASKS, SIDE, WIDTH, draw_results, draw_two_way
from engines.workloads.families.vision_transformers import convnext_block

_FINE, _FINER = WIDTH // 4, WIDTH // 8
_MEMORY_WIDTH, _MEMORY_HIDDEN, _MEMORY_LAYERS = 64, 2048, 4
_MEMORY_MAPS, _POINTER_TOKENS = 7, 16 * WIDTH // _MEMORY_WIDTH


@dataclass(frozen=True)
class HieraShape:
    """A Hiera encoder of four stages.

    Attributes:
        width, heads: width and heads of the first stage; each later one has twice those of the one before.
        depths: blocks of each stage.
        windows: tokens along the side of a window, of each stage.
        without_windows: numbers of the blocks, from 0, that attend to all tokens.
        background: side of the learnt map of positions that is stretched over all tokens.
    """

    width: int
    heads: int
    depths: Sequence[int]
    windows: Sequence[int]
    without_windows: Sequence[int]
    background: int


def sam2_encoder(shape: HieraShape) -> list[Row]:
    """Return the encoder with its pyramid: the coarsest map of 64 x 64, and two finer ones as the decoder reads them."""
    drawing = Drawing((3, SIDE, SIDE))
    drawing.conv("patches", shape.width, 7, stride=4, norm=False, act=False)
    drawing.add("positions", weights=shape.width * (shape.background**2 + shape.windows[0] ** 2))
    maps: list[Feature] = []
    number = 0
    for stage, depth in enumerate(shape.depths):
        for block in range(depth):
            grows = stage > 0 and block == 0
            window = 0 if number in shape.without_windows else shape.windows[stage - grows]
            _hiera_block(drawing, f"stage{stage}.{block}", shape.heads << stage, window, grows)
            number += 1
        maps.append(drawing.feature)
    _draw_pyramid(drawing, maps)
    return drawing.rows


def _hiera_block(drawing: Drawing, name: str, heads: int, window: int, grows: bool) -> None:
    entry, (width, side, _) = drawing.feature, drawing.shape
    drawing.norm(f"{name}.norm1")
    normalised, after = drawing.feature, 2 * width if grows else width
    if grows:
        drawing.linear(f"{name}.shortcut", after)
        drawing.shape = (after, side, side)
        drawing.pool(f"{name}.shortcut.pool", 2, 2)
        entry = drawing.feature
        drawing.branch(normalised)
    _windowed(drawing, f"{name}.attention", heads, window, grows)
    drawing.sum(f"{name}.add1", drawing.feature, entry)
    entry = drawing.feature
    drawing.norm(f"{name}.norm2")
    feed_forward(drawing, f"{name}.mlp", 4 * after)
    drawing.shape = entry[1]
    drawing.sum(f"{name}.add2", drawing.feature, entry)


def _windowed(drawing: Drawing, name: str, heads: int, window: int, grows: bool) -> None:
    """Add attention in windows (0: one of all tokens); queries are pooled where the width grows."""
    width, side, _ = drawing.shape
    factor = 2 if grows else 1
    after, window = width * factor, window or side
    inner = -(-side // window) * window
    if inner > side:
        drawing.moved(f"{name}.pad", "reshape", written=width * inner**2)
    drawing.shape = (width, inner, inner)
    drawing.linear(f"{name}.query_key_value", 3 * after)
    joint = query = drawing.last
    if grows:
        drawing.shape = (after, inner, inner)
        drawing.moved(f"{name}.pool.of_token", "pool", read=3 * drawing.size, written=drawing.size // 4)
        query = drawing.last
    windows, features = (inner // window) ** 2, after // heads
    products = AttentionProducts((window // factor) ** 2, window**2, features, heads, windows)
    products.draw(drawing, name, (query, joint, joint))
    drawing.linear(f"{name}.projection", after)
    drawing.shape = (after, side // factor, side // factor)
    if inner > side:
        drawing.moved(f"{name}.crop", "reshape", read=after * (inner // factor) ** 2)


def _draw_pyramid(drawing: Drawing, maps: Sequence[Feature]) -> None:
    laterals: list[Feature] = []
    for level, each in enumerate(maps):
        drawing.branch(each)
        drawing.conv(f"pyramid{level}", WIDTH, norm=False, act=False)
        laterals.append(drawing.feature)
    drawing.branch(laterals[3])
    drawing.resize("pyramid.resize", MAP_SIDE, MAP_SIDE)
    drawing.sum("pyramid.add", laterals[2], drawing.feature)
    results = [drawing.feature]
    for level, channels in enumerate((_FINER, _FINE)):
        drawing.branch(laterals[level])
        drawing.conv(f"finer{level}", channels, norm=False, act=False)
        results.append(drawing.feature)
    drawing.outputs("outputs", *results)


def sam2_decoder() -> list[Row]:
    """Return the mask decoder for one prompt: SAM's, with the encoder's finer maps added and a score of the object."""
    drawing = Drawing((WIDTH, MAP_SIDE, MAP_SIDE))
    tokens, image = draw_two_way(drawing, learnt=2 + MASKS)
    drawing.branch(image)
    drawing.shape = (WIDTH, MAP_SIDE, MAP_SIDE)
    for index, channels in enumerate((_FINE, _FINER), start=1):
        drawing.transposed_conv(f"upscale{index}", channels)
        drawing.reading(drawing.last, -1)
        drawing.add(f"upscale{index}.add")  # with a map of the encoder
        if index == 1:
            drawing.norm("upscale1.norm")
        drawing.act(f"upscale{index}.act")
    heads = {"quality": (WIDTH, WIDTH, MASKS), "object": (WIDTH, WIDTH, 1)}
    draw_results(drawing, tokens, drawing.feature, heads)
    return drawing.rows


def sam2_memory_attention() -> list[Row]:
    """Return the layers through which the map of an image attends to the memory of earlier ones."""
    drawing = Drawing((WIDTH, MAP_SIDE**2, 1))
    drawing.reading()
    drawing.moved("positions", "eltwise", read=2 * drawing.size)
    image = drawing.feature
    drawing.reading()
    drawing.shape = (_MEMORY_WIDTH, _MEMORY_MAPS * MAP_SIDE**2 + _POINTER_TOKENS, 1)
    drawing.moved("memory.positions", "eltwise", read=2 * drawing.size)
    keys, memory = drawing.feature, (-1, drawing.shape)
    own = Attention(1, joint=False, rotated=True)
    for layer in range(_MEMORY_LAYERS):
        for part, attention in (
            ("self", own),
            ("memory", CrossAttention(1, keys, memory, rotated=True)),
            ("mlp", None),
        ):
            name = f"layer{layer}.{part}"
            drawing.branch(image)
            drawing.norm(f"{name}.norm")
            if attention is None:
                feed_forward(drawing, name, _MEMORY_HIDDEN)
            else:
                attention.draw(drawing, name)
            drawing.sum(f"{name}.add", drawing.feature, image)
            image = drawing.feature
    drawing.norm("norm")
    return drawing.rows


def sam2_memory_encoder() -> list[Row]:
    """Return the memory encoder: the mask, halved four times, is added to the image features, followed by two blocks."""
    drawing = Drawing((1, SIDE, SIDE))
    for index in range(4):
        drawing.conv(f"mask{index}", 4 ** (index + 1), 3, stride=2, norm=False, act=False)
        drawing.norm(f"mask{index}.norm")
        drawing.act(f"mask{index}.act")
    drawing.conv("mask4", WIDTH, norm=False, act=False)
    mask = drawing.feature
    drawing.reading()
    drawing.conv("image", WIDTH, norm=False, act=False)
    drawing.sum("add", drawing.feature, mask)
    for block in range(2):
        convnext_block(drawing, f"block{block}", WIDTH)
    drawing.conv("memory", _MEMORY_WIDTH, norm=False, act=False)
    return drawing.rows


_HIERAS = {
    "tiny": HieraShape(96, 1, (1, 2, 7, 2), (8, 4, 14, 7), (5, 7, 9), 7),
    "small": HieraShape(96, 1, (1, 2, 11, 2), (8, 4, 14, 7), (7, 10, 13), 7),
    "base-plus": HieraShape(112, 2, (2, 3, 16, 3), (8, 4, 14, 7), (12, 16, 20), 14),
    "large": HieraShape(144, 2, (2, 6, 36, 4), (8, 4, 16, 8), (23, 33, 43), 7),
}
_SHORT = {"tiny": "T", "small": "S", "base-plus": "B+", "large": "L"}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    source = "transformers 5.24 (Apache-2.0), configuration sam2.1-hiera-{}; drawn from the definition"
    summary = "Image segmentation by prompts: the encoder, once for an image of 1024x1024x3."
    for size, shape in _HIERAS.items():
        title, draw = f"SAM 2 Hiera {size} image encoder, 1024x1024", partial(sam2_encoder, shape)
        yield drawn_network(
            f"sam2-{size}-encoder", title, f"SAM2-{_SHORT[size]} enc", summary, source.format(size), draw
        )
    parts = {
        "decoder": ("mask decoder, one point", "SAM2 dec", "the mask decoder, for one point", sam2_decoder),
        "memory-attention": (
            "memory attention, seven maps", "SAM2 mem att",
            "the layers that read the memory, once for a frame of a video", sam2_memory_attention,
        ),
        "memory-encoder": (
            "memory encoder", "SAM2 mem enc", "the layers that write the memory, once for a frame of a video",
            sam2_memory_encoder,
        ),
    }  # fmt: skip
    for part, (title, short, words, drawn) in parts.items():
        summary = f"Image segmentation by prompts: {words}."
        yield drawn_network(f"sam2-{part}", f"SAM 2 {title}", short, summary, source.format("tiny"), drawn)
