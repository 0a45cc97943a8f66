"""Reads encoders of images and text: ViT, DINO, SigLIP, CLIP, the towers of Qwen, InternVL, Llama 4 and Pixtral.

Shapes are facts read from huggingface/transformers (Apache-2.0) and mlfoundations/open_clip (MIT).
"""

from __future__ import annotations

import math
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
        gated: whether the feed-forward part has a gate.
        bias: whether maps have a bias, and normalisations a shift.
        key_bias: whether keys have a bias, where the other maps have one.
    """

    width: int
    depth: int
    heads: int
    hidden: int
    tokens: int
    scales: int = 0
    causal: bool = False
    gated: bool = False
    bias: bool = True
    key_bias: bool = True

    def layers(self) -> tuple[Layer, ...]:
        """Return its layers."""
        part = FeedForward(self.hidden, self.gated, self.bias)
        layer = Layer(self.attention(), part, (2 + 2 * self.bias + self.scales) * self.width)
        return (layer,) * self.depth

    def attention(self) -> Attention:
        """Return the attention, with a bias of all maps or of none."""
        return Attention(
            self.heads, self.heads, self.width // self.heads, query_bias=self.bias, key_bias=self.bias and self.key_bias,
            value_bias=self.bias, output_bias=self.bias, causal=self.causal,
        )  # fmt: skip


def _shape(fields: Fields, tokens: int, *, scales: int = 0, causal: bool = False) -> EncoderShape:
    width, heads = fields.size("hidden_size"), fields.size("num_attention_heads", "num_heads")
    fields.share("num_attention_heads", heads, width, "hidden_size")
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
    """Return ViT, DeiT, DINOv2 or DINOv3 without classifier: class token, registers, positions, layers, normalisation."""
    dino, third = kind.startswith("dino"), kind == "dinov3_vit"
    base = {"hidden_size": 384, "num_attention_heads": 6, "intermediate_size": 1536} if third else {}
    fields = fields.with_defaults({"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
                                   "patch_size": 14 if kind == "dinov2" else 16, **base})  # fmt: skip
    count = patches(fields)
    registers = fields.size("num_register_tokens", default=4 if kind == "dinov2_with_registers" else 0, least=0)
    shape = _shape(fields, count + 1 + registers, scales=2 * dino)
    if fields.flag("use_swiglu_ffn"):
        shape = replace(shape, gated=True, hidden=(int(shape.hidden * 2 / 3) + 7) // 8 * 8)
    if third:
        shape = replace(shape, gated=fields.flag("use_gated_mlp"), key_bias=fields.flag("key_bias"))
    width = shape.width
    # DINOv3 rotates positions. Class token and final normalisation; the token that masks patches belongs to DINO.
    positions = () if third else (Table("positions", count + 1, width),)
    vectors = (3 + dino + registers) * width
    entry = (patch_map(fields, width),)
    return Stack("vision encoder", kind, width, shape.layers(), shape.tokens, positions, entry, norm_elements=vectors)


def read_siglip_vision(fields: Fields, kind: str, *, head: bool | None = None) -> Stack:
    """Return the image tower of SigLIP.

    Args:
        fields: fields of the tower.
        kind: kind of the configuration.
        head: whether its attention pooling counts; None: as the configuration says, or with it.
    """
    fields = fields.with_defaults(_BASE_TOWER)
    if fields.has("num_patches"):  # SigLIP 2 says how many patches it takes, whatever their arrangement
        side = math.isqrt(fields.size("num_patches")) * _side(fields, "patch_size", 16)
        fields = fields.under({"image_size": side})
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
    positions, entry = (Table("positions", count, width),), (patch_map(fields, width, bias=False),)
    return Stack("vision encoder", "clip", width, shape.layers(), count, positions, entry, out, 5 * width)


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
    tokens = any_size_patches(fields, patch, merge)
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
    width, layers = shape.width, shape.layers()
    if not fields.flag("attention_bias", default=fields.flag("qkv_bias", default=True)):
        mixer = replace(shape.attention(), query_bias=False, key_bias=False, value_bias=False)
        layers = tuple(replace(layer, mixer=mixer) for layer in layers)
    tables = (Table("positions", count + 1, width),)
    tower = Stack(
        "vision encoder", "intern_vit", width, layers, count + 1, tables, (patch_map(fields, width),), (), width
    )
    merge = round(1 / scale**2)
    rows: dict[str, Any] = {"bias": True, "tokens_per_row": merge}
    maps = Projection("up", merge * width, out, **rows), Projection("down", out, out, **rows)
    return tower, Stack("projector", "projector", width, (), count, entry=maps, norm_elements=2 * merge * width)


def read_llama4_vision(fields: Fields, whole: Fields, width: int) -> tuple[Stack, Stack]:
    """Return the image tower of Llama 4, and the adapter and map that make tokens of `width` features of four patches each."""
    count = patches(fields, image=448, patch=14) + 1
    shape = _shape(fields, count)
    own, ratio = shape.width, fields.number("pixel_shuffle_ratio", 0.5)
    merge = round(1 / ratio**2)
    entry = (patch_map(fields, own, bias=False, patch=14),)
    # Class token, and normalisations before and after the layers.
    positions = (Table("positions", count, own),)
    tower = Stack("vision encoder", "llama4_vision", own, shape.layers(), count, positions, entry, (), 5 * own)
    inner, out = fields.size("projector_input_dim", default=4096), fields.size("projector_output_dim", default=4096)
    rows: dict[str, Any] = {"tokens_per_row": merge}
    maps = (
        Projection("adapter_up", shape.hidden, inner, **rows),
        Projection("adapter_down", inner, out, **rows),
        Projection("projector", fields.size("vision_output_dim", default=out), width, **rows),
    )
    return tower, Stack("projector", "projector", own, (), count - 1, entry=maps)


def read_pixtral_vision(fields: Fields, kind: str) -> Stack:
    """Return the image tower of Pixtral: gated, without biases and class token, and with rotated positions."""
    fields = fields.with_defaults({**dict(zip(_BASE_TOWER, (1024, 24, 16, 4096), strict=True)), "patch_size": 16})
    tokens = any_size_patches(fields, 16)
    shape = replace(_shape(fields, tokens), gated=True, bias=False)
    entry = (patch_map(fields, shape.width, bias=False),)
    return Stack("vision encoder", "pixtral", shape.width, shape.layers(), tokens, (), entry, norm_elements=shape.width)


def read_mistral3_vision(fields: Fields, whole: Fields, width: int) -> tuple[Stack, Stack]:
    """Return the image tower of Mistral 3, and the projector that merges neighbouring patches."""
    tower = read_pixtral_vision(fields, "pixtral")
    merge, bias = whole.size("spatial_merge_size", default=2) ** 2, whole.flag("multimodal_projector_bias")
    rows: dict[str, Any] = {"tokens_per_row": merge}
    maps = (
        Projection("merge", tower.width * merge, tower.width, **rows),
        Projection("up", tower.width, width, bias, **rows),
        Projection("down", width, width, bias, **rows),
    )
    return tower, Stack("projector", "projector", tower.width, (), tower.tokens, entry=maps, norm_elements=tower.width)


def any_size_patches(fields: Fields, patch: int, merge: int = 1) -> int:
    """Return the patches of an image of 448 x 448 pixels, for towers that take images of any size, which a note says."""
    tokens = (448 // _side(fields, "patch_size", patch)) ** 2 // merge * merge
    fields.note(f"Images have any size: the vision stage is counted for 448 x 448 pixels ({tokens} patches).")
    return tokens
