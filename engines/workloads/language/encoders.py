"""Reads encoders of images, speech and text: ViT, SigLIP, CLIP, the towers of Qwen and InternVL, Whisper.

Shapes are facts read from huggingface/transformers (Apache-2.0), mlfoundations/open_clip (MIT) and openai/whisper (MIT).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.workloads.language.configuration import Fields
from engines.workloads.language.mixers import Attention
from engines.workloads.language.model import FeedForward, Layer, Stack, StackKind
from engines.workloads.language.weights import Projection, Table

_BASE_TOWER = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}


@dataclass(frozen=True)
class EncoderShape:
    """The size of an encoder of the usual form: attention and two maps, each behind a normalisation with scale and shift.

    Attributes:
        width, depth, heads, hidden: features, layers, heads, features of the feed-forward part.
        tokens: number of tokens that attend to each other.
        scales: vectors of each layer besides its normalisations (layer scale).
        causal: whether tokens see those before them alone.
    """

    width: int
    depth: int
    heads: int
    hidden: int
    tokens: int
    scales: int = 0
    causal: bool = False

    def layers(self) -> tuple[Layer, ...]:
        """Return the layers of the encoder."""
        attention = self.attention()
        layer = Layer(attention, FeedForward(self.hidden, gated=False, bias=True), (4 + self.scales) * self.width)
        return (layer,) * self.depth

    def attention(self) -> Attention:
        """Return the attention, with a bias of all maps."""
        return Attention(
            self.heads, self.heads, self.width // self.heads, query_bias=True, key_bias=True, value_bias=True,
            output_bias=True, causal=self.causal,
        )  # fmt: skip


def _shape(fields: Fields, tokens: int, *, scales: int = 0, causal: bool = False) -> EncoderShape:
    width, heads = fields.size("hidden_size"), fields.size("num_attention_heads", "num_heads")
    if width % heads:
        raise ProblemError(f"{fields.place}num_attention_heads", heads, f"a divisor of hidden_size ({width})")
    hidden = fields.size("intermediate_size", default=int(width * fields.number("mlp_ratio", 4.0)))
    depth = fields.layers("num_hidden_layers", "depth")
    return EncoderShape(width, depth, heads, hidden, tokens, scales, causal)


def patches(fields: Fields, image: int = 224, patch: int = 16) -> int:
    """Return the patches of an image; raises ProblemError where the image is smaller than a patch."""
    side, size = _side(fields, "image_size", image), _side(fields, "patch_size", patch)
    if side < size:
        raise ProblemError(f"{fields.place}image_size", side, f"at least patch_size ({size})")
    return (side // size) ** 2


def _side(fields: Fields, name: str, default: int) -> int:
    value = fields.values.get(name)
    if isinstance(value, list) and len(value) == 2 and value[0] == value[1]:
        return Fields({name: value[0]}, fields.place).size(name, most=10**5)
    return fields.size(name, default=default, most=10**5)


def patch_map(fields: Fields, width: int, *, bias: bool = True, patch: int = 16, frames: int = 1) -> Projection:
    """Return the map from the pixels of a patch."""
    channels = fields.size("num_channels", "in_channels", "in_chans", default=3)
    return Projection("patches", channels * frames * _side(fields, "patch_size", patch) ** 2, width, bias)


def read_vit(fields: Fields, kind: str) -> Stack:
    """Return ViT, DeiT or DINOv2 without classifier: class token, positions, layers, normalisation."""
    defaults = {
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "patch_size": 14 if kind == "dinov2" else 16,
    }
    fields = fields.with_defaults(defaults)
    second = kind == "dinov2"
    count = patches(fields)
    shape = _shape(fields, count + 1, scales=2 * second)
    width = shape.width
    positions = Table("positions", count + 1, width)
    # Class token and final normalisation; the token that masks patches belongs to DINOv2.
    vectors = (3 + second) * width
    return Stack(
        "vision encoder",
        kind,
        width,
        shape.layers(),
        count + 1,
        (positions,),
        (patch_map(fields, width),),
        norm_elements=vectors,
    )


def read_siglip_vision(fields: Fields, kind: str, *, head: bool | None = None) -> Stack:
    """Return the image tower of SigLIP.

    Args:
        fields: fields of the tower.
        kind: kind of the configuration.
        head: whether its attention pooling counts; None: as the configuration says, or with it.
    """
    fields = fields.with_defaults(_BASE_TOWER)
    count = patches(fields)
    shape = _shape(fields, count)
    width = shape.width
    pooled = fields.flag("vision_use_head", default=True) if head is None else head
    pooling = _attention_pooling(shape) if pooled else ()
    # Final normalisation; the pooling has a query, and a normalisation of its own.
    vectors = (2 + 3 * pooled) * width
    return Stack(
        "vision encoder", "siglip", width, shape.layers(), count, (Table("positions", count, width),),
        (patch_map(fields, width),), pooling, vectors,
    )  # fmt: skip


def _attention_pooling(shape: EncoderShape) -> tuple[Projection, ...]:
    """Return the maps of a pooling by one learnt query: keys and values of all tokens, the rest of one."""
    width = shape.width
    one = {"tokens_per_row": 0}
    return (
        Projection("pool_key", width, width, bias=True),
        Projection("pool_value", width, width, bias=True),
        Projection("pool_query", width, width, bias=True, **one),
        Projection("pool_output", width, width, bias=True, **one),
        Projection("pool_up", width, shape.hidden, bias=True, **one),
        Projection("pool_down", shape.hidden, width, bias=True, **one),
    )


def read_clip_vision(fields: Fields, kind: str, *, projection: int = 0) -> Stack:
    """Return the image tower of CLIP: no bias of patches, class token, normalisations before and after the layers."""
    fields = fields.with_defaults({**_BASE_TOWER, "patch_size": 32})
    count = patches(fields) + 1
    shape = _shape(fields, count)
    width = shape.width
    out = (Projection("projection", width, projection, tokens_per_row=0),) if projection else ()
    entry = (patch_map(fields, width, bias=False),)
    return Stack(
        "vision encoder",
        "clip",
        width,
        shape.layers(),
        count,
        (Table("positions", count, width),),
        entry,
        out,
        5 * width,
    )


def read_text_encoder(
    fields: Fields, *, projection: int, bias: bool = False, causal: bool = True, kind: StackKind = "text encoder"
) -> Stack:
    """Return the text tower of CLIP or SigLIP, with words, positions, layers, normalisation and projection."""
    tokens, vocabulary = fields.size("max_position_embeddings", "context_length", default=77), fields.size("vocab_size")
    shape = _shape(fields, tokens, causal=causal)
    width = shape.width
    tables = Table("words", vocabulary, width), Table("positions", tokens, width)
    out = (Projection("projection", width, projection, bias, tokens_per_row=0),) if projection else ()
    return Stack(kind, "text", width, shape.layers(), tokens, tables, (), out, 2 * width)


def read_contrastive(fields: Fields, kind: str) -> tuple[Stack, ...]:
    """Return the two towers of CLIP or SigLIP in the fields of Hugging Face."""
    vision, text = fields.section("vision_config"), fields.section("text_config")
    if kind in ("siglip", "siglip2"):
        text = text.with_defaults({**_BASE_TOWER, "vocab_size": 32000, "max_position_embeddings": 64})
        out = text.size("projection_size", default=text.size("hidden_size"))
        towers = read_siglip_vision(vision, kind), read_text_encoder(text, projection=out, bias=True, causal=False)
        return towers[0], replace(towers[1], norm_elements=towers[1].norm_elements + 2)
    text = text.with_defaults({"hidden_size": 512, "num_hidden_layers": 12, "num_attention_heads": 8, "intermediate_size": 2048,
                       "vocab_size": 49408, "max_position_embeddings": 77})  # fmt: skip
    out = fields.size("projection_dim", default=512)
    tower = read_text_encoder(text, projection=out)
    return read_clip_vision(vision, kind, projection=out), replace(tower, norm_elements=tower.norm_elements + 1)


# Image towers that open_clip takes from timm (pytorch-image-models, Apache-2.0): width, layers, heads, hidden, patch.
_TIMM_SHAPES = {
    "base": (768, 12, 12, 3072),
    "large": (1024, 24, 16, 4096),
    "so400m": (1152, 27, 16, 4304),
    "giantopt": (1536, 40, 16, 6144),
}


def read_open_clip(fields: Fields, kind: str) -> tuple[Stack, ...]:
    """Return the two towers of a configuration of open_clip: its own CLIP, or SigLIP with an image tower of timm."""
    vision, text, out = fields.section("vision_cfg"), fields.section("text_cfg"), fields.size("embed_dim")
    width, ratio = text.size("width", default=512), text.number("mlp_ratio", 4.0)
    names = {"hidden_size": width, "num_hidden_layers": text.layers("layers", default=12),
             "num_attention_heads": text.size("heads", default=8), "intermediate_size": int(width * ratio),
             "vocab_size": text.size("vocab_size", default=49408)}  # fmt: skip
    causal = not text.flag("no_causal_mask")
    tower = read_text_encoder(text.under(names), projection=out, bias=text.flag("proj_bias"), causal=causal)
    # Scale of the scores, and their shift where the configuration gives one to start with.
    tower = replace(tower, norm_elements=tower.norm_elements + 1 + fields.has("init_logit_bias"))
    name = vision.word("timm_model_name")
    if not name:
        width = vision.size("width", default=768)
        head = vision.size("head_width", default=64)
        heads = vision.divide("width", width, head, "features of a head (head_width)")
        ratio = vision.number("mlp_ratio", 4.0)
        names = {"hidden_size": width, "num_hidden_layers": vision.layers("layers", default=12), "num_attention_heads": heads,
                 "intermediate_size": int(width * ratio), "patch_size": vision.size("patch_size", default=16)}  # fmt: skip
        return read_clip_vision(vision.under(names), kind, projection=out), tower
    return read_siglip_vision(_timm_fields(vision, name), kind, head=True), tower


def _timm_fields(vision: Fields, name: str) -> Fields:
    parts = name.split("_")
    shape = next((shape for size, shape in _TIMM_SHAPES.items() if size in parts), None)
    patch = next((part.removeprefix("patch") for part in parts if part.startswith("patch")), "")
    if "siglip" not in name or shape is None or not patch.isdecimal():
        accepted = f"a SigLIP tower of timm, vit_SIZE_patchN_siglip_PIXELS with SIZE one of {', '.join(_TIMM_SHAPES)}"
        raise ProblemError(f"{vision.place}timm_model_name", name, accepted)
    return vision.under({**dict(zip(_BASE_TOWER, shape, strict=True)), "patch_size": int(patch)})


def read_qwen_vision(fields: Fields, kind: str, out: int) -> tuple[Stack, Stack]:
    """Return the image tower of Qwen 2-VL, 2.5-VL, 3-VL or 3.5, and the merger that makes tokens of the decoder.

    Args:
        fields: fields of the tower.
        kind: kind of the whole model.
        out: features of a token of the decoder.
    """
    second = kind == "qwen2_vl"
    width = fields.size("embed_dim") if second and fields.has("embed_dim") else fields.size("hidden_size")
    fields = Fields({**fields.values, "hidden_size": width}, fields.place, fields.notes)
    merge = fields.size("spatial_merge_size", default=2) ** 2
    frames = fields.size("temporal_patch_size", default=2)
    out = fields.size("out_hidden_size", default=out)
    patch = 14 if kind in ("qwen2_vl", "qwen2_5_vl") else 16
    # The tower takes images of any size; the figures of a stage are those of 448 x 448 pixels.
    tokens = (448 // fields.size("patch_size", default=patch)) ** 2 // merge * merge
    fields.note(f"Images have any size: the vision stage is counted for 448 x 448 pixels ({tokens} patches).")
    third = kind not in ("qwen2_vl", "qwen2_5_vl")
    shape = _shape(fields, tokens)
    layers = shape.layers() if kind != "qwen2_5_vl" else _windowed_layers(fields, shape)
    positions = fields.size("num_position_embeddings", default=2304)
    tables = (Table("positions", positions, width),) if third else ()
    entry = (patch_map(fields, width, bias=third, patch=patch, frames=frames),)
    tower = Stack("vision encoder", kind, width, layers, tokens, tables, entry)
    inner = merge * width
    rows: dict[str, Any] = {"bias": True, "tokens_per_row": merge}
    taps = len(fields.numbers("deepstack_visual_indexes")) if third else 0
    maps = [(Projection("merge_up", inner, inner, **rows), Projection("merge_down", inner, out, **rows))]
    maps += [
        (replace(maps[0][0], name=f"tap{number}_up"), replace(maps[0][1], name=f"tap{number}_down"))
        for number in range(taps)
    ]
    norms = width * (1 if kind == "qwen2_5_vl" else 2) + taps * 2 * inner
    return tower, Stack(
        "projector", "merger", width, (), tokens, entry=tuple(m for pair in maps for m in pair), norm_elements=norms
    )


def _windowed_layers(fields: Fields, shape: EncoderShape) -> tuple[Layer, ...]:
    """Return the layers of Qwen 2.5-VL: gated, most of them within windows of pixels."""
    full = set(fields.numbers("fullatt_block_indexes"))
    window = (fields.size("window_size", default=112) // fields.size("patch_size", default=14)) ** 2
    part = FeedForward(shape.hidden, gated=True, bias=True)
    whole = shape.attention()
    local = replace(whole, window_tokens=window)
    return tuple(Layer(whole if number in full else local, part, 2 * shape.width) for number in range(shape.depth))


def read_intern_vision(fields: Fields, out: int, scale: float) -> tuple[Stack, Stack]:
    """Return the image tower of InternVL and its projector of two maps."""
    large = dict(zip(_BASE_TOWER, (1024, 24, 16, 4096), strict=True))
    fields = fields.with_defaults({**large, "patch_size": 14, "image_size": 448})
    count = patches(fields)
    shape = _shape(fields, count + 1, scales=2)
    width = shape.width
    tables = (Table("positions", count + 1, width),)
    tower = Stack(
        "vision encoder", "intern_vit", width, shape.layers(), count + 1, tables, (patch_map(fields, width),), (), width
    )
    merge = round(1 / scale**2)
    rows: dict[str, Any] = {"bias": True, "tokens_per_row": merge}
    maps = Projection("up", merge * width, out, **rows), Projection("down", out, out, **rows)
    return tower, Stack("projector", "projector", width, (), count, entry=maps, norm_elements=2 * merge * width)


def read_whisper(fields: Fields, kind: str) -> tuple[Stack, Stack]:
    """Return encoder and decoder of Whisper; the fixed positions of the encoder count, as its files store them."""
    width, frames = fields.size("d_model", "hidden_size"), fields.size("max_source_positions", default=1500)
    heads, depth = fields.size("encoder_attention_heads"), fields.layers("encoder_layers")
    fields.divide("d_model", width, heads, "number of heads (encoder_attention_heads)")
    shape = EncoderShape(width, depth, heads, fields.size("encoder_ffn_dim", default=4 * width), frames)
    without = replace(shape.attention(), key_bias=False)
    layers = tuple(replace(layer, mixer=without) for layer in shape.layers())
    entry = (
        Projection("frames", fields.size("num_mel_bins", default=80), width, bias=True, kernel=3, rows_per_token=2),
        Projection("steps", width, width, bias=True, kernel=3),
    )
    positions = (Table("positions", frames, width),)
    encoder = Stack("audio encoder", "encoder", width, layers, frames, positions, entry, (), 2 * width)
    own_heads = fields.size("decoder_attention_heads", default=heads)
    fields.divide("d_model", width, own_heads, "number of heads (decoder_attention_heads)")
    mixer = replace(without, heads=own_heads, cache_heads=own_heads, head_size=width // own_heads, causal=True)
    cross = replace(mixer, causal=False, source_tokens=frames, source_width=width)
    part = FeedForward(fields.size("decoder_ffn_dim", default=4 * width), gated=False, bias=True)
    layer = Layer(mixer, part, 6 * width, cross)
    vocabulary = fields.size("vocab_size", default=51865)
    tables = (
        Table("embedding", vocabulary, width, head=True),
        Table("positions", fields.size("max_target_positions", default=448), width),
    )
    head = Projection("head", width, vocabulary)
    stack = Stack(
        "decoder",
        "decoder",
        width,
        (layer,) * fields.layers("decoder_layers"),
        0,
        tables,
        norm_elements=2 * width,
        head=head,
    )
    return encoder, stack
