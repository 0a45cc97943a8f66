"""Reads models of speech: Whisper, Moonshine, and the encoders of sound of Qwen, Voxtral and Phi 4.

Shapes are facts read from huggingface/transformers (Apache-2.0) and openai/whisper (MIT).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines.workloads.language.configuration import Fields
from engines.workloads.language.decoders import decoder_stack
from engines.workloads.language.encoders import EncoderShape, read_siglip_vision
from engines.workloads.language.mixers import Attention
from engines.workloads.language.model import FeedForward, Layer, Stack
from engines.workloads.language.weights import Projection, Table

_SAMPLES_PER_S = 16_000
_CLIP_S = 30  # as long as the windows of Whisper


def read_whisper(fields: Fields, kind: str) -> tuple[Stack, Stack]:
    """Return encoder and decoder of Whisper; the fixed positions of the encoder count, as its files store them."""
    encoder = whisper_encoder(fields)
    width, frames = encoder.width, encoder.tokens
    own_heads = fields.size("decoder_attention_heads", default=fields.size("encoder_attention_heads"))
    fields.divide("d_model", width, own_heads, "number of heads (decoder_attention_heads)")
    mixer = replace(_attention(width, own_heads), causal=True)
    cross = replace(mixer, causal=False, source_tokens=frames, source_width=width)
    part = FeedForward(fields.size("decoder_ffn_dim", default=4 * width), gated=False, bias=True)
    layers = [Layer(mixer, part, 6 * width, cross)] * fields.layers("decoder_layers")
    positions = Table("positions", fields.size("max_target_positions", default=448), width)
    fields = Fields({"vocab_size": 51865, **fields.values, "hidden_size": width}, fields.place, fields.notes)
    return encoder, decoder_stack(fields, layers, norm=2 * width, tied=True, tables=(positions,))


def whisper_encoder(fields: Fields, *, positions: bool = True) -> Stack:
    """Return the encoder of Whisper, which others have taken over, some of them without its table of positions."""
    width, frames = fields.size("d_model", "hidden_size"), fields.size("max_source_positions", default=1500)
    heads = fields.size("encoder_attention_heads", "num_attention_heads")
    depth = fields.layers("encoder_layers", "num_hidden_layers")
    fields.divide("d_model", width, heads, "number of heads (encoder_attention_heads)")
    hidden = fields.size("encoder_ffn_dim", "intermediate_size", default=4 * width)
    shape = EncoderShape(width, depth, heads, hidden, frames, key_bias=False)
    entry = (
        Projection("frames", fields.size("num_mel_bins", default=80), width, bias=True, kernel=3, rows_per_token=2),
        Projection("steps", width, width, bias=True, kernel=3),
    )
    tables = (Table("positions", frames, width),) if positions else ()
    return Stack("audio encoder", "encoder", width, shape.layers(), frames, tables, entry, (), 2 * width)


def _attention(width: int, heads: int) -> Attention:
    return EncoderShape(width, 1, heads, width, 0, key_bias=False).attention()


def read_sound(fields: Fields, kind: str, width: int) -> tuple[Stack, ...]:
    """Return the encoder of sound of Qwen 2 Audio, Qwen 2.5 and 3 Omni, or Voxtral, and the maps to tokens of the decoder."""
    if kind.startswith("qwen3_omni"):
        return _qwen3_sound(fields)
    omni = kind.startswith("qwen2_5_omni")
    encoder = whisper_encoder(fields, positions=not omni)
    own, frames = encoder.width, encoder.tokens
    if kind == "voxtral":
        inner = fields.size("intermediate_size", default=4 * own)
        merge = fields.share("d_model", own, inner, "intermediate_size")
        up = Projection("up", inner, width, tokens_per_row=merge)
        maps: tuple[Projection, ...] = (up, replace(up, name="down", inputs=width))
    else:  # two frames are averaged
        out = fields.size("output_dim", default=width) if omni else width
        maps = (Projection("projector", own, out, bias=True, tokens_per_row=2),)
    marks = 2 * maps[0].outputs if omni else 0  # embeddings of begin and end
    return encoder, Stack("projector", "audio_projector", own, (), frames, entry=maps, norm_elements=marks)


def _qwen3_sound(fields: Fields) -> tuple[Stack, Stack]:
    """Return the encoder of Qwen 3 Omni: three convolutions over time and frequency, each of which halves both."""
    width, depth = fields.size("d_model"), fields.layers("encoder_layers")
    heads, channels = fields.size("encoder_attention_heads"), fields.size("downsample_hidden_size", default=480)
    fields.divide("d_model", width, heads, "number of heads (encoder_attention_heads)")
    bins = fields.size("num_mel_bins", default=128)
    halves = [-(-bins // 2**power) for power in (1, 2, 3)]
    tokens = _CLIP_S * 100 // 8
    fields.note(f"Sound has any length: its stage is counted for {_CLIP_S} s ({tokens} tokens).")
    shape = EncoderShape(width, depth, heads, fields.size("encoder_ffn_dim", default=4 * width), tokens)
    rows = [size * part for size, part in zip(halves, (4, 2, 1), strict=True)]
    entry = (
        *(
            Projection(
                f"frames{number}", 1 if number == 0 else channels, channels, bias=True, kernel=9, rows_per_token=each
            )
            for number, each in enumerate(rows)
        ),
        Projection("frames_out", channels * halves[-1], width),
    )
    maps = Projection("up", width, width, bias=True), Projection("down", width, fields.size("output_dim"), bias=True)
    encoder = Stack("audio encoder", "encoder", width, shape.layers(), tokens, (), entry, (), 2 * width)
    return encoder, Stack("projector", "audio_projector", width, (), tokens, entry=maps)


def read_moonshine(fields: Fields, kind: str) -> tuple[Stack, Stack]:
    """Return encoder and decoder of Moonshine, which reads samples in place of frames."""
    fields = fields.with_defaults({"vocab_size": 32768, "tie_word_embeddings": True})
    width, hidden = fields.size("hidden_size"), fields.size("intermediate_size")
    steps = _CLIP_S * _SAMPLES_PER_S
    for kernel, stride in ((127, 64), (7, 3), (3, 2)):
        steps = (steps - kernel) // stride + 1
    fields.note(f"Sound has any length: the encoder is counted for {_CLIP_S} s ({steps} tokens).")
    entry = (
        Projection("samples", 1, width, kernel=127, rows_per_token=6),
        Projection("frames", width, 2 * width, bias=True, kernel=7, rows_per_token=2),
        Projection("steps", 2 * width, width, bias=True, kernel=3),
    )
    own = replace(_moonshine_attention(fields, "encoder", width), causal=False)
    layers = (Layer(own, FeedForward(hidden, gated=False, bias=True), 2 * width),) * fields.layers(
        "encoder_num_hidden_layers"
    )
    encoder = Stack("audio encoder", "encoder", width, layers, steps, (), entry, (), 3 * width)
    mixer = _moonshine_attention(fields, "decoder", width)
    cross = replace(mixer, causal=False, source_tokens=steps, source_width=width)
    layer = Layer(mixer, FeedForward(hidden, bias=True), 3 * width, cross)
    decoder = [layer] * fields.layers("decoder_num_hidden_layers")
    return encoder, decoder_stack(fields, decoder, norm=width, tied=fields.flag("tie_word_embeddings"))


def _moonshine_attention(fields: Fields, part: str, width: int) -> Attention:
    name = f"{part}_num_attention_heads"
    heads = fields.size(name)
    cache_heads = fields.size(f"{part}_num_key_value_heads", default=heads)
    fields.divide(name, heads, cache_heads, "number of heads of keys and values")
    biases: dict[str, Any] = dict.fromkeys(("query_bias", "key_bias", "value_bias"), fields.flag("attention_bias"))
    return Attention(heads, cache_heads, fields.share(name, heads, width, "hidden_size"), **biases)


def read_phi4_multimodal(fields: Fields, decoder: Stack) -> tuple[Stack, ...]:
    """Return the encoders of images and sound of Phi 4 with their projectors, and the decoder with its low-rank maps."""
    image = sound = Fields({}, "", fields.notes)
    if fields.has("vision_config"):
        image = fields.section("vision_config")
    if fields.has("audio_config"):
        sound = fields.section("audio_config")
    elif fields.has("audio_processor"):
        sound = fields.section("audio_processor").section("config")
    shape = {"hidden_size": 1152, "num_hidden_layers": 27, "num_attention_heads": 16, "intermediate_size": 4304}
    tower = read_siglip_vision(image.under({**shape, "image_size": 448, "patch_size": 14}), "phi4", head=True)
    width = decoder.width
    up, down = Projection("up", tower.width, width, bias=True), Projection("down", width, width, bias=True)
    # Neighbouring patches are averaged before; two vectors mark the image and its parts.
    maps = (replace(up, tokens_per_row=4), replace(down, tokens_per_row=4))
    projector = Stack(
        "projector", "projector", tower.width, (), tower.tokens, entry=maps, norm_elements=2 * tower.width
    )
    encoder = _conformer(sound, first_files=fields.word("model_type") == "phi4mm")
    up = replace(up, inputs=encoder.width)
    # The same maps are stored once more for sound beside images.
    second = up.elements + down.elements
    listener = Stack(
        "projector", "audio_projector", encoder.width, (), encoder.tokens, entry=(up, down), norm_elements=second
    )
    ranks = sum(fields.section(name).size("r") for name in ("vision_lora", "speech_lora") if fields.has(name))
    if ranks:
        fields.note("Low-rank maps for images and sound are stored; the costs of a token are those of text.")
    layers = tuple(_with_low_rank(layer, width, ranks) for layer in decoder.layers)
    return tower, projector, encoder, listener, replace(decoder, layers=layers)


def _with_low_rank(layer: Layer, width: int, ranks: int) -> Layer:
    """Return the layer with low-rank maps beside its own: queries, keys and values are one map there, and gate and up."""
    mixer, part = layer.mixer, layer.feed_forward
    assert isinstance(mixer, Attention) and isinstance(part, FeedForward)
    read = (mixer.heads + 2 * mixer.cache_heads) * mixer.head_size
    sides = 4 * width + read + mixer.heads * mixer.head_size + 3 * part.hidden
    return replace(layer, mixer=replace(mixer, unused_elements=ranks * sides))


def _conformer(fields: Fields, *, first_files: bool) -> Stack:
    """Return the encoder of sound of Phi 4: two feed-forward parts around attention and a convolution in each layer."""
    width, hidden = (
        fields.size("hidden_size", "attention_dim", default=1024),
        fields.size("intermediate_size", "linear_units", default=1536),
    )
    kernel, bins = fields.size("kernel_size", default=3), fields.size("input_size", default=80)
    tokens = _CLIP_S * 100 // 8
    fields.note(f"Sound has any length: its stage is counted for {_CLIP_S} s ({tokens} tokens).")
    heads = fields.size("num_attention_heads", "attention_heads", default=16)
    fields.share("num_attention_heads", heads, width, "hidden_size")
    part = FeedForward(hidden, gated=True, bias=True)
    depthwise = Projection("convolution", width, width, bias=True, groups=width, kernel=kernel)
    extras = (
        *(replace(each, name=f"{each.name}_before") for each in part.projections(width)),
        Projection("widen", width, 2 * width, bias=True),
        depthwise,
        *(Projection(name, width, width, bias=True) for name in ("mix", "mix_out")),
    )
    layer = Layer(EncoderShape(width, 1, heads, hidden, tokens).attention(), part, 12 * width, extras=extras)
    half = -(-bins // 8)
    square = replace(depthwise, kernel=9)
    point = Projection("frames_mix", width, width, bias=True)
    entry = (
        Projection("frames", 1, width, bias=True, kernel=9, rows_per_token=16 * half),
        *(replace(each, rows_per_token=rows * half) for rows in (4, 1) for each in (square, point)),
        Projection("frames_out", half * width, width, bias=True),
    )
    # The first files have a table of half the distances, and mean and deviation of the frames.
    vectors = (
        2 * fields.size("bias_max_distance", default=500 if first_files else 1000) * heads + 2 * bins * first_files
    )
    layers = (layer,) * fields.layers("num_blocks", default=24)
    return Stack("audio encoder", "conformer", width, layers, tokens, (), entry, norm_elements=vectors)
