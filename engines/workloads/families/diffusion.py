"""Image generation by diffusion: the UNets and the decoder of Stable Diffusion, and the transformers of DiT.

Source: diffusers 0.42 (Apache-2.0) `unet_2d_condition`, `autoencoder_kl`, and Peebles and Xie 2023 (DiT); sizes as the published
configurations. One step is one pass; guidance, where it is used, doubles the batch. A text is the UNet's input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.attention import Attention, CrossAttention, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.image_encoders import TextShape, text_encoder
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.network import INPUT

_LATENTS, _TEXT_TOKENS, _GATED_RATIO = 4, 77, 4
_UNBIASED = (False, False, False)


@dataclass(frozen=True)
class UNetShape:
    """A UNet over latents of `side` x `side`, conditioned by a step and a text.

    Attributes:
        widths: channels of each level.
        depths: transformer blocks after each residual block of a level; 0: no attention.
        heads: attention heads of each level.
        text: features of a token of the text.
    """

    side: int
    widths: Sequence[int]
    depths: Sequence[int]
    heads: Sequence[int]
    text: int


def unet(shape: UNetShape) -> list[Row]:
    """Return the rows of one denoising step of the UNet."""
    drawing = Drawing((_LATENTS, shape.side, shape.side))
    step = _step(drawing, shape.widths[0])
    drawing.branch((INPUT, (_LATENTS, shape.side, shape.side)))
    drawing.conv("input", shape.widths[0], 3, norm=False, act=False)
    skipped = [drawing.feature]
    last = len(shape.widths) - 1
    for level, width in enumerate(shape.widths):
        for block in range(2):
            _level_block(drawing, f"down{level}.{block}", shape, level, width, step)
            skipped.append(drawing.feature)
        if level < last:
            drawing.conv(f"down{level}.coarser", width, 3, stride=2, norm=False, act=False)
            skipped.append(drawing.feature)
    _residual(drawing, "middle.0", shape.widths[-1], step)
    _transformer(drawing, "middle.attention", shape.heads[last], 1, shape.text)
    _residual(drawing, "middle.1", shape.widths[-1], step)
    for level in range(last, -1, -1):
        for block in range(3):
            drawing.join(f"up{level}.{block}.concat", drawing.feature, skipped.pop())
            _level_block(drawing, f"up{level}.{block}", shape, level, shape.widths[level], step)
        if level:
            _finer(drawing, f"up{level}.finer")
    drawing.norm("norm")
    drawing.act("act")
    drawing.conv("output", _LATENTS, 3, norm=False, act=False)
    return drawing.rows


def _step(drawing: Drawing, width: int) -> Feature:
    """Add the features of the number of the step, which comes as `width` frequencies."""
    drawing.reading()
    drawing.shape = (width, 1, 1)
    drawing.linear("step.fc1", 4 * width, act=True)
    drawing.linear("step.fc2", 4 * width, act=True)
    return drawing.feature


def _level_block(drawing: Drawing, name: str, shape: UNetShape, level: int, width: int, step: Feature) -> None:
    _residual(drawing, name, width, step)
    if shape.depths[level]:
        _transformer(drawing, f"{name}.attention", shape.heads[level], shape.depths[level], shape.text)


def _residual(drawing: Drawing, name: str, width: int, step: Feature | None = None) -> None:
    """Add two convolutions, each of a normalised and activated map; between them the step is added, where there is one."""
    entry = drawing.feature
    drawing.norm(f"{name}.norm1")
    drawing.act(f"{name}.act1")
    drawing.conv(f"{name}.conv1", width, 3, norm=False, act=False)
    if step is not None:
        inner = drawing.feature
        drawing.branch(step)
        drawing.linear(f"{name}.step", width)
        drawing.sum(f"{name}.step.add", inner, drawing.feature)
    drawing.norm(f"{name}.norm2")
    drawing.act(f"{name}.act2")
    drawing.conv(f"{name}.conv2", width, 3, norm=False, act=False)
    main = drawing.feature
    if entry[1][0] != width:
        drawing.branch(entry)
        drawing.conv(f"{name}.shortcut", width, norm=False, act=False)
        entry = drawing.feature
    drawing.sum(f"{name}.add", main, entry)


def _transformer(drawing: Drawing, name: str, heads: int, depth: int, text: int) -> None:
    """Add blocks in which the places of a map attend to each other and to the text."""
    entry, (width, *_) = drawing.feature, drawing.shape
    drawing.norm(f"{name}.norm")
    drawing.linear(f"{name}.input", width)
    own = Attention(heads, joint=False, biased=_UNBIASED)
    reads = CrossAttention(heads, (INPUT, (text, _TEXT_TOKENS, 1)), biased=_UNBIASED)
    for block in range(depth):
        for part, attention in (("own", own), ("text", reads), ("mlp", None)):
            inner = f"{name}.{block}.{part}"
            before = drawing.last
            drawing.norm(f"{inner}.norm")
            if attention:
                attention.draw(drawing, inner)
            else:
                _gated(drawing, inner)
            drawing.add_to(f"{inner}.add", before)
    drawing.linear(f"{name}.output", width)
    drawing.shape = entry[1]
    drawing.sum(f"{name}.add", drawing.feature, entry)


def _gated(drawing: Drawing, name: str) -> None:
    """Add a joint linear layer, half of which scales the other half after an activation, and a second one."""
    width, hidden = drawing.channels, _GATED_RATIO * drawing.channels
    drawing.linear(f"{name}.fc1", 2 * hidden)
    drawing.shape = (hidden, drawing.places, 1)
    drawing.moved(f"{name}.gate", "activation", read=2 * drawing.size, written=drawing.size)
    drawing.linear(f"{name}.fc2", width)


def _finer(drawing: Drawing, name: str) -> None:
    drawing.resize(f"{name}.resize", 2 * drawing.shape[1], 2 * drawing.shape[2])
    drawing.conv(name, drawing.channels, 3, norm=False, act=False)


def image_decoder(side: int, widths: Sequence[int]) -> list[Row]:
    """Return the decoder of latents of `side` x `side` to an image of eight times the sides; `widths` from the coarsest on."""
    drawing = Drawing((_LATENTS, side, side))
    drawing.conv("input", widths[0], 3, norm=False, act=False)
    _residual(drawing, "middle.0", widths[0])
    entry = drawing.feature
    drawing.norm("middle.attention.norm")
    Attention(1, joint=False).draw(drawing, "middle.attention")
    drawing.shape = entry[1]
    drawing.sum("middle.attention.add", drawing.feature, entry)
    _residual(drawing, "middle.1", widths[0])
    for level, width in enumerate(widths):
        for block in range(3):
            _residual(drawing, f"up{level}.{block}", width)
        if level < len(widths) - 1:
            _finer(drawing, f"up{level}.finer")
    drawing.norm("norm")
    drawing.act("act")
    drawing.conv("output", 3, 3, norm=False, act=False)
    return drawing.rows


@dataclass(frozen=True)
class DitShape:
    """A diffusion transformer for images of 256 x 256: `depth` blocks over tokens of `width` features, in patches of 2 x 2."""

    depth: int
    width: int
    heads: int


def dit(shape: DitShape) -> list[Row]:
    """Return one step of a DiT over latents of 32 x 32: every part is scaled and shifted by the step and the class."""
    drawing = Drawing((_LATENTS, 32, 32))
    condition = _condition(drawing, shape.width)
    drawing.branch((INPUT, (_LATENTS, 32, 32)))
    drawing.conv("patches", shape.width, 2, stride=2, pad=0, norm=False, act=False)
    drawing.moved("positions", "eltwise")
    for block in range(shape.depth):
        name, entry = f"block{block}", drawing.feature
        modulation = _modulation(drawing, f"{name}.modulation", condition, 6 * shape.width)
        _modulated(drawing, f"{name}.norm1", entry, modulation)
        Attention(shape.heads).draw(drawing, f"{name}.attention")
        entry = _scaled_sum(drawing, f"{name}.add1", modulation, entry)
        _modulated(drawing, f"{name}.norm2", entry, modulation)
        feed_forward(drawing, f"{name}.mlp", 4 * shape.width)
        _scaled_sum(drawing, f"{name}.add2", modulation, entry)
    entry = drawing.feature
    modulation = _modulation(drawing, "last.modulation", condition, 2 * shape.width)
    _modulated(drawing, "last.norm", entry, modulation)
    drawing.linear("last", 2 * _LATENTS * 4)
    return drawing.rows


def _condition(drawing: Drawing, width: int) -> Feature:
    """Add the features of the number of the step and of the class, one of 1,000 or none."""
    drawing.reading()
    drawing.shape = (256, 1, 1)
    drawing.linear("step.fc1", width, act=True)
    drawing.linear("step.fc2", width)
    step = drawing.feature
    drawing.reading()
    drawing.moved("class", "embedding", read=1, weights=1001 * width)
    drawing.sum("condition", step, drawing.feature)
    drawing.act("condition.act")
    return drawing.feature


def _modulation(drawing: Drawing, name: str, condition: Feature, features: int) -> Feature:
    drawing.branch(condition)
    drawing.linear(name, features)
    return drawing.feature


def _modulated(drawing: Drawing, name: str, tokens: Feature, modulation: Feature) -> None:
    """Add a normalisation without learnt factors, then a scale and a shift of every feature."""
    drawing.branch(tokens)
    drawing.moved(name, "norm")
    drawing.reading(drawing.last, modulation[0])
    drawing.moved(f"{name}.of_token", "eltwise", read=drawing.size + 2 * drawing.channels)


def _scaled_sum(drawing: Drawing, name: str, modulation: Feature, entry: Feature) -> Feature:
    drawing.reading(drawing.last, modulation[0])
    drawing.moved(f"{name}.scale.of_token", "eltwise", read=drawing.size + drawing.channels)
    drawing.shape = entry[1]
    drawing.sum(name, drawing.feature, entry)
    return drawing.feature


_DEPTHS, _WIDTHS = (1, 1, 1, 0), (320, 640, 1280, 1280)
_UNETS = {
    "stable-diffusion-1-5-unet": (
        "Stable Diffusion 1.5 UNet, 512x512", "SD1.5 UNet", "stable-diffusion-v1-5",
        UNetShape(64, _WIDTHS, _DEPTHS, (8, 8, 8, 8), 768),
    ),
    "stable-diffusion-turbo-unet": (
        "SD-Turbo UNet, 512x512", "SDTurbo UNet", "sd-turbo", UNetShape(64, _WIDTHS, _DEPTHS, (5, 10, 20, 20), 1024),
    ),
}  # fmt: skip
_DITS = {
    "s": DitShape(12, 384, 6),
    "b": DitShape(12, 768, 12),
    "l": DitShape(24, 1024, 16),
    "xl": DitShape(28, 1152, 16),
}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    source = "diffusers 0.42 (Apache-2.0), configuration {}; drawn from the definition"
    for slug, (title, short, name, shape) in _UNETS.items():
        summary = f"Image generation, one step over latents of {shape.side}x{shape.side}x4."
        yield drawn_network(slug, title, short, summary, source.format(name), partial(unet, shape))
    summary, name = "Image generation, the decoder of latents of 64x64x4.", "stable-diffusion-v1-5"
    title, draw = "Stable Diffusion 1.5 image decoder, 512x512", partial(image_decoder, 64, (512, 512, 256, 128))
    yield drawn_network("stable-diffusion-1-5-decoder", title, "SD1.5 dec", summary, source.format(name), draw)
    summary, text = "Image generation, the encoder of a text of 77 tokens.", TextShape(12, 768, 12, 49408, 77, 0)
    title, draw = "Stable Diffusion 1.5 text encoder, 77 tokens", partial(text_encoder, text)
    yield drawn_network("stable-diffusion-1-5-text", title, "SD1.5 text", summary, source.format(name), draw)
    source = "arXiv 2212.09748; diffusers 0.42 (Apache-2.0); drawn from the definition"
    for size, dit_shape in _DITS.items():
        title, summary = f"DiT-{size.upper()}/2", "Image generation, one step for an image of 256x256x3."
        yield drawn_network(f"dit-{size}-2", f"{title}, 256x256", title, summary, source, partial(dit, dit_shape))
