"""Speech and text recognition: Whisper, wav2vec 2.0 and TrOCR, as an encoder and one step of a decoder.

Source: transformers 5.24 (Apache-2.0) `whisper`, `wav2vec2`, `deit`, `trocr`; sizes as their published configurations. The
keys and values through which a decoder reads the encoder are computed once, at the end of the encoder, as k2-fsa's sherpa-onnx
(Apache-2.0) exports them. A step computes one token; keys and values of the tokens before it are at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.attention import (
    Attention,
    AttentionProducts,
    CrossAttention,
    encoder_block,
    feed_forward,
    projected,
)
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.image_encoders import VitShape, draw_blocks, draw_patches
from engines.workloads.families.language import embedding
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.network import INPUT
from engines.workloads.tables import tied

_SOURCE = "transformers 5.24 (Apache-2.0), configuration {}; drawn from the definition"
_KEYS_UNBIASED = (True, False, True)
_FRAMES = 3000  # of the spectrum: 30 s
_SAMPLES_PER_S, _SECONDS = 16_000, 10
_WAVE_WIDTH, _WAVE_KERNELS, _WAVE_STRIDES = 512, (10, 3, 3, 3, 3, 2, 2), (5, 2, 2, 2, 2, 2, 2)


@dataclass(frozen=True)
class DecoderShape:
    """The shape of a text decoder with cross-attention to an encoder's tokens.

    Attributes:
        depth, width, heads: number of blocks, features per token, attention heads.
        vocabulary: number of tokens in the embedding table, whose weights the output layer shares.
        positions: number of rows of the table of position embeddings.
        tokens: length of the text so far; a decoder step computes its last token.
        read: number of encoder tokens, and their features.
        hidden: features inside a feed-forward part.
        biased: whether the projections of query, key and value have a bias.
        before: True for normalisation before each part (pre-norm), False after its residual sum (post-norm).
    """

    depth: int
    width: int
    heads: int
    vocabulary: int
    positions: int
    tokens: int
    read: tuple[int, int]
    hidden: int
    biased: tuple[bool, bool, bool] = (True, True, True)
    before: bool = True


def draw_decoder_reads(drawing: Drawing, shape: DecoderShape) -> None:
    """Add the keys and values of the newest tokens for every block of a decoder, which are the results of the encoder."""
    tokens = drawing.feature
    results: list[Feature] = []
    for block in range(shape.depth):
        for part, biased in zip(("key", "value"), shape.biased[1:], strict=True):
            projected(drawing, f"read{block}.{part}", tokens, shape.width, biased)
            results.append(drawing.feature)
    drawing.outputs("outputs", *results)


def decoder_step(shape: DecoderShape) -> list[Row]:
    """Return one step: a token that attends to those before it and to the encoder's, and the scores of all words."""
    drawing = Drawing((shape.width, 1, 1))
    embedding(drawing, "embeddings.words", shape.vocabulary)
    words = drawing.last
    embedding(drawing, "embeddings.positions", shape.positions)
    drawing.add_to("embeddings.add", words)
    if not shape.before:
        drawing.norm("embeddings.norm")
    read = CrossAttention(shape.heads, (INPUT, (shape.width, shape.read[0], 1)), biased=shape.biased, cached=True)
    for block in range(shape.depth):
        for part, run in (("own", None), ("read", read), ("mlp", None)):
            name, entry = f"block{block}.{part}", drawing.last
            if shape.before:
                drawing.norm(f"{name}.norm")
            if run:
                run.draw(drawing, name)
            elif part == "own":
                _own_attention(drawing, name, shape)
            else:
                feed_forward(drawing, name, shape.hidden)
            drawing.add_to(f"{name}.add", entry)
            if not shape.before:
                drawing.norm(f"{name}.norm")
    if shape.before:
        drawing.norm("norm")
    drawing.linear("head", shape.vocabulary, bias=False)
    return tied(drawing.rows, ("embeddings.words", "head"))


def _own_attention(drawing: Drawing, name: str, shape: DecoderShape) -> None:
    """Add attention to the tokens so far; the newest key and value join those of an input."""
    entry, parts = drawing.feature, []
    for part, biased in zip(("query", "key", "value"), shape.biased, strict=True):
        projected(drawing, f"{name}.{part}", entry, shape.width, biased)
        parts.append(drawing.feature)
    joined = []
    for part, each in zip(("keys", "values"), parts[1:], strict=True):
        drawing.reading(each[0], INPUT)
        drawing.shape = (shape.width, shape.tokens, 1)
        drawing.moved(f"{name}.past_{part}", "concat")
        joined.append(drawing.last)
    products = AttentionProducts(1, shape.tokens, shape.width // shape.heads, shape.heads)
    products.draw(drawing, name, (parts[0][0], joined[0], joined[1]))
    drawing.linear(f"{name}.projection", shape.width)


def whisper_encoder(depth: int, bands: int, decoder: DecoderShape) -> list[Row]:
    """Return Whisper's encoder over 30 s of sound: two convolutions that halve the frames, and blocks of attention."""
    drawing = Drawing((bands, _FRAMES, 1), dimensions=1)
    drawing.conv("conv1", decoder.width, 3, norm=False)
    drawing.conv("conv2", decoder.width, 3, stride=2, norm=False)
    drawing.add("positions", weights=drawing.size)
    attention = Attention(decoder.heads, joint=False, biased=_KEYS_UNBIASED)
    for block in range(depth):
        encoder_block(drawing, f"block{block}", attention, decoder.hidden)
    drawing.norm("norm")
    draw_decoder_reads(drawing, decoder)
    return drawing.rows


def wav2vec2() -> list[Row]:
    """Return wav2vec 2.0 base over 10 s of sound: seven convolutions, 12 blocks, and the scores of 32 letters per 20 ms."""
    drawing = Drawing((1, _SAMPLES_PER_S * _SECONDS, 1), dimensions=1)
    for index, (kernel, stride) in enumerate(zip(_WAVE_KERNELS, _WAVE_STRIDES, strict=True)):
        drawing.conv(f"conv{index}", _WAVE_WIDTH, kernel, stride=stride, pad=0, bias=False, norm=False, act=False)
        if index == 0:
            drawing.norm("conv0.norm")
        drawing.act(f"conv{index}.act")
    drawing.norm("projection.norm")
    drawing.linear("projection", 768)
    entry = drawing.feature
    drawing.conv("positions", 768, 128, pad=64, groups=16, norm=False, act=False)
    drawing.shape = entry[1]
    drawing.moved("positions.crop", "reshape", read=drawing.size + 768)
    drawing.act("positions.act")
    drawing.sum("positions.add", drawing.feature, entry)
    drawing.norm("positions.norm")
    for block in range(12):
        name, entry = f"block{block}", drawing.feature
        Attention(12, joint=False).draw(drawing, f"{name}.attention")
        drawing.sum(f"{name}.add1", drawing.feature, entry)
        drawing.norm(f"{name}.norm1")
        entry = drawing.feature
        feed_forward(drawing, f"{name}.mlp", 4 * 768)
        drawing.sum(f"{name}.add2", drawing.feature, entry)
        drawing.norm(f"{name}.norm2")
    drawing.linear("letters", 32)
    return drawing.rows


def trocr_encoder(shape: VitShape, decoder: DecoderShape) -> list[Row]:
    """Return TrOCR's image encoder: a DeiT with a class token and a distillation token."""
    drawing = Drawing((3, shape.side, shape.side))
    draw_patches(drawing, shape)
    draw_blocks(drawing, shape, 0, shape.depth)
    drawing.norm("norm")
    draw_decoder_reads(drawing, decoder)
    return drawing.rows


# Blocks of the encoder, frequency bands, the decoder: blocks, width, heads, words.
_WHISPERS = {
    "tiny": (4, 80, 4, 384, 6, 51865),
    "base": (6, 80, 6, 512, 8, 51865),
    "small": (12, 80, 12, 768, 12, 51865),
    "large-v3-turbo": (32, 128, 4, 1280, 20, 51866),
}
_SHORT = {"tiny": "T", "base": "B", "small": "S", "large-v3-turbo": "Tu"}
_WHISPER_TOKENS = 448
_TROCR = (
    VitShape(384, 16, 12, 384, 6, learnt=2),
    DecoderShape(6, 256, 8, 64044, 514, 512, (578, 384), 1024, before=False),
)


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    for size, (depth, bands, layers, width, heads, vocabulary) in _WHISPERS.items():
        decoder = DecoderShape(
            layers,
            width,
            heads,
            vocabulary,
            _WHISPER_TOKENS,
            _WHISPER_TOKENS,
            (_FRAMES // 2, width),
            4 * width,
            _KEYS_UNBIASED,
        )
        name, short = f"Whisper {size}", f"Whisper-{_SHORT[size]}"
        source = _SOURCE.format(f"openai/whisper-{size}")
        summary = "Speech recognition: the encoder, once for 30 s of sound."
        draw = partial(whisper_encoder, depth, bands, decoder)
        yield drawn_network(f"whisper-{size}-encoder", f"{name} encoder, 30 s", f"{short} E", summary, source, draw)
        summary = "Speech recognition: one step of the decoder, the last token of the longest text."
        title = f"{name} decoder, token {_WHISPER_TOKENS}"
        yield drawn_network(
            f"whisper-{size}-decoder", title, f"{short} D", summary, source, partial(decoder_step, decoder)
        )
    source = _SOURCE.format("facebook/wav2vec2-base-960h")
    yield drawn_network(
        "wav2vec2-base", "wav2vec 2.0 base, 10 s", "wav2vec2-B", "Speech recognition.", source, wav2vec2
    )
    source = _SOURCE.format("microsoft/trocr-small-printed")
    summary = "Text recognition in a line of an image of 384x384x3: {}."
    words, title = summary.format("the encoder, once for a line"), "TrOCR small encoder, 384x384"
    yield drawn_network("trocr-small-encoder", title, "TrOCR-S enc", words, source, partial(trocr_encoder, *_TROCR))
    words = summary.format("one step of the decoder, the last token of the longest text")
    title, draw = "TrOCR small decoder, token 512", partial(decoder_step, _TROCR[1])
    yield drawn_network("trocr-small-decoder", title, "TrOCR-S dec", words, source, draw)
