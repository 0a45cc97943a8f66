"""Segment Anything (SAM) and MobileSAM: an encoder that runs once for an image, and a decoder that runs for each prompt.

Source: Kirillov et al. 2023 (SAM) and Zhang et al. 2023 (MobileSAM); transformers 5.24 (Apache-2.0) `sam`; sizes of sam-vit-base.
The embeddings of points and boxes, a few additions, are left out: a prompt is one point and its padding, as tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engines.workloads.families.attention import AttentionProducts, CrossAttention, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.tiny_vit import TINY_VITS, draw_tiny_vit

SIDE, MAP_SIDE, WIDTH = 1024, 64, 256
PROMPT_TOKENS, MASKS = 2, 4
_VIT_WIDTH, _VIT_DEPTH, _VIT_HEADS, _WINDOW = 768, 12, 12, 14
_WITHOUT_WINDOWS = (2, 5, 8, 11)
_HEADS, _NARROW, _HIDDEN = 8, 128, 2048


def sam_encoder() -> list[Row]:
    """Return SAM's ViT-B: attention in windows of 14 x 14 tokens, in four blocks over all, and a neck of two convolutions."""
    drawing = Drawing((3, SIDE, SIDE))
    drawing.conv("patches", _VIT_WIDTH, 16, stride=16, pad=0, norm=False, act=False)
    drawing.add("positions", weights=drawing.size)
    for block in range(_VIT_DEPTH):
        _encoder_block(drawing, f"block{block}", 0 if block in _WITHOUT_WINDOWS else _WINDOW)
    _draw_neck(drawing)
    return drawing.rows


def mobile_sam_encoder() -> list[Row]:
    """Return MobileSAM's TinyViT-5M, whose last reduction keeps the sides, and the same neck."""
    drawing = Drawing((3, SIDE, SIDE))
    draw_tiny_vit(drawing, replace(TINY_VITS["5m"], last_stride=1))
    _draw_neck(drawing)
    return drawing.rows


def _draw_neck(drawing: Drawing) -> None:
    for index, kernel in enumerate((1, 3), start=1):
        drawing.conv(f"neck{index}", WIDTH, kernel, bias=False, norm=False, act=False)
        drawing.norm(f"neck{index}.norm")


def _encoder_block(drawing: Drawing, name: str, window: int) -> None:
    entry, (width, side, _) = drawing.feature, drawing.shape
    drawing.norm(f"{name}.norm1")
    inner = -(-side // window) * window if window else side
    if inner > side:
        drawing.moved(f"{name}.pad", "reshape", written=width * inner**2)
    drawing.shape = (width, inner**2, 1)
    _positioned_attention(drawing, f"{name}.attention", window or side, (inner // (window or side)) ** 2)
    drawing.shape = (width, side, side)
    if inner > side:
        drawing.moved(f"{name}.crop", "reshape", read=width * inner**2)
    drawing.sum(f"{name}.add1", drawing.feature, entry)
    entry = drawing.feature
    drawing.norm(f"{name}.norm2")
    feed_forward(drawing, f"{name}.mlp", 4 * width)
    drawing.shape = (width, side, side)
    drawing.sum(f"{name}.add2", drawing.feature, entry)


def _positioned_attention(drawing: Drawing, name: str, side: int, windows: int) -> None:
    """Add attention in windows; products of the queries with learnt rows and columns are added to its scores."""
    width, features = drawing.channels, _VIT_WIDTH // _VIT_HEADS
    drawing.linear(f"{name}.query_key_value", 3 * width)
    joint, drawn = drawing.last, []
    repeats = _VIT_HEADS * windows * side
    for axis in ("rows", "columns"):
        drawing.reading(joint)
        drawing.product(f"{name}.{axis}", side, features, side, repeats)
        drawn.append(drawing.last)
    positions = ("positions", 2 * repeats * side**2, 2 * (2 * side - 1) * features)
    products = AttentionProducts(side**2, side**2, features, _VIT_HEADS, windows, (positions,), tuple(drawn))
    products.draw(drawing, name, (joint, joint, joint))
    drawing.linear(f"{name}.projection", width)


def sam_decoder() -> list[Row]:
    """Return SAM's mask decoder for one prompt: two blocks of attention both ways, then masks of 256 x 256 and their quality."""
    drawing = Drawing((WIDTH, MAP_SIDE, MAP_SIDE))
    tokens, image = draw_two_way(drawing, learnt=1 + MASKS)
    drawing.branch(image)
    drawing.shape = (WIDTH, MAP_SIDE, MAP_SIDE)
    drawing.transposed_conv("upscale1", WIDTH // 4)
    drawing.norm("upscale1.norm")
    drawing.act("upscale1.act")
    drawing.transposed_conv("upscale2", WIDTH // 8)
    drawing.act("upscale2.act")
    draw_results(drawing, tokens, drawing.feature, {"quality": (WIDTH, WIDTH, MASKS)})
    return drawing.rows


def draw_two_way(drawing: Drawing, learnt: int) -> tuple[Feature, Feature]:
    """Add the blocks in which prompts and image attend to each other; return both, as tokens.

    Args:
        drawing: whose input is the map of the image and the tokens of the prompt.
        learnt: tokens before those of the prompt.
    """
    drawing.reading()
    drawing.moved("image.dense_prompt", "eltwise", read=2 * drawing.size)
    image = (drawing.last, (WIDTH, MAP_SIDE**2, 1))
    drawing.reading()
    drawing.shape = (WIDTH, learnt + PROMPT_TOKENS, 1)
    drawing.moved("tokens", "concat", read=WIDTH * PROMPT_TOKENS, weights=WIDTH * learnt)
    prompts = tokens = drawing.feature
    for block in range(2):
        tokens, image = _two_way_block(drawing, f"block{block}", tokens, image, prompts, first=block == 0)
    queries, keys = _positioned(drawing, "last", tokens, prompts), _placed(drawing, "last", image)
    tokens = _attended(drawing, "last", tokens, CrossAttention(_HEADS, keys, image, queries, _NARROW))
    return tokens, image


def _two_way_block(
    drawing: Drawing, name: str, tokens: Feature, image: Feature, prompts: Feature, first: bool
) -> tuple[Feature, Feature]:
    part = f"{name}.self"
    if first:  # nothing is added to what the first attention gives out
        drawing.branch(tokens)
        CrossAttention(_HEADS, tokens).draw(drawing, f"{part}.attention")
        drawing.norm(f"{part}.norm")
        tokens = drawing.feature
    else:
        queries = _positioned(drawing, part, tokens, prompts)
        tokens = _attended(drawing, part, tokens, CrossAttention(_HEADS, queries, tokens, queries))
    part = f"{name}.to_image"
    queries, keys = _positioned(drawing, part, tokens, prompts), _placed(drawing, part, image)
    tokens = _attended(drawing, part, tokens, CrossAttention(_HEADS, keys, image, queries, _NARROW))
    feed_forward(drawing, f"{name}.mlp", _HIDDEN)
    drawing.sum(f"{name}.mlp.add", drawing.feature, tokens)
    drawing.norm(f"{name}.mlp.norm")
    tokens = drawing.feature
    part = f"{name}.to_tokens"
    queries, keys = _placed(drawing, part, image), _positioned(drawing, part, tokens, prompts)
    return tokens, _attended(drawing, part, image, CrossAttention(_HEADS, keys, tokens, queries, _NARROW))


def _attended(drawing: Drawing, name: str, entry: Feature, attention: CrossAttention) -> Feature:
    """Add attention, the sum with what attended, and a normalisation."""
    drawing.shape = entry[1]
    attention.draw(drawing, f"{name}.attention")
    drawing.sum(f"{name}.add", drawing.feature, entry)
    drawing.norm(f"{name}.norm")
    return drawing.feature


def _positioned(drawing: Drawing, name: str, tokens: Feature, prompts: Feature) -> Feature:
    """Add the prompts to their tokens again."""
    drawing.sum(f"{name}.prompts", tokens, prompts)
    return drawing.feature


def _placed(drawing: Drawing, name: str, image: Feature) -> Feature:
    """Add the positions of the image's places, which are an input."""
    drawing.branch(image)
    drawing.moved(f"{name}.places", "eltwise")
    return drawing.feature


def draw_results(drawing: Drawing, tokens: Feature, image: Feature, heads: Mapping[str, Sequence[int]]) -> None:
    """Add the masks, each from a token and the finer map, and small networks over one token each.

    Args:
        drawing: the decoder.
        tokens: after attention.
        image: the finer map.
        heads: name -> widths of the linear layers of a small network.
    """
    channels, *sides = image[1]
    weights = []
    for mask in range(MASKS):
        _small_network(drawing, f"mask{mask}", tokens, (WIDTH, WIDTH, channels))
        weights.append(drawing.feature)
    drawing.join("masks.weights", *weights)
    drawing.reading(drawing.last, image[0])
    drawing.product("masks", MASKS, channels, sides[0] * sides[1], 1)
    drawing.shape = (MASKS, sides[0], sides[1])
    results = [drawing.feature]
    for name, widths in heads.items():
        _small_network(drawing, name, tokens, widths)
        results.append(drawing.feature)
    drawing.outputs("outputs", *results)


def _small_network(drawing: Drawing, name: str, tokens: Feature, widths: Sequence[int]) -> None:
    drawing.branch(tokens)
    drawing.shape = (tokens[1][0], 1, 1)
    for index, width in enumerate(widths, start=1):
        drawing.linear(f"{name}.fc{index}" if index > 1 else f"{name}.of_token", width, act=index < len(widths))


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    encodes = "Image segmentation by prompts: the encoder, once for an image of 1024x1024x3."
    decodes = "Image segmentation by prompts: the mask decoder, for one point."
    source = "transformers 5.24 (Apache-2.0), configuration sam-vit-base; drawn from the definition"
    draws = (
        ("sam-vit-b-encoder", "SAM ViT-B image encoder, 1024x1024", "SAM-B enc", encodes, sam_encoder),
        ("sam-decoder", "SAM mask decoder, one point", "SAM dec", decodes, sam_decoder),
    )
    for slug, title, short, summary, draw in draws:
        yield drawn_network(slug, title, short, summary, source, draw)
    source = "arXiv 2306.14289; ChaoningZhang/MobileSAM (Apache-2.0); drawn from the definition"
    title, short = "MobileSAM image encoder, 1024x1024", "MobSAM enc"
    yield drawn_network("mobile-sam-encoder", title, short, encodes, source, mobile_sam_encoder)
