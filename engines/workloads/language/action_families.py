"""Reads models of robots that see, read and act: OpenVLA, and pi0, pi0.5 and SmolVLA in the fields of LeRobot.

Shapes are facts read from huggingface/lerobot (Apache-2.0), huggingface/transformers (Apache-2.0), pytorch-image-models
(Apache-2.0) and openvla/openvla (MIT).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.workloads.language.configuration import Fields
from engines.workloads.language.encoders import read_siglip_vision, read_vit
from engines.workloads.language.mixers import Attention
from engines.workloads.language.model import Layer, Stack
from engines.workloads.language.weights import Projection

Parts = Callable[[Fields, Sequence[Mapping[str, Any]]], tuple[Stack, ...]]

_SO400M: dict[str, Any] = {
    "model_type": "siglip_vision_model", "hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27,
    "num_attention_heads": 16, "patch_size": 14,
}  # fmt: skip
_DINO_L = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "patch_size": 14,
    "num_register_tokens": 4,
}
# Towers of OpenVLA by their names in pytorch-image-models.
_TOWERS = ("vit_large_patch14_reg4_dinov2.lvd142m", "vit_so400m_patch14_siglip_224")
_GEMMA = {"model_type": "gemma", "num_hidden_layers": 18, "num_attention_heads": 8, "num_key_value_heads": 1, "head_dim": 256,
          "tie_word_embeddings": True}  # fmt: skip
_VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "gemma_300m": {**_GEMMA, "hidden_size": 1024, "intermediate_size": 4096},
    "gemma_2b": {**_GEMMA, "hidden_size": 2048, "intermediate_size": 16384},
}
_SMOLVLM2 = "HuggingFaceTB/SmolVLM2-500M-Video-Instruct"
_SMOL = {"model_type": "llama", "num_attention_heads": 15, "num_key_value_heads": 5, "head_dim": 64}
_SMOL_TOWER: dict[str, Any] = {
    "model_type": "siglip_vision_model", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
    "num_attention_heads": 12, "patch_size": 16, "image_size": 512,
}  # fmt: skip
POLICIES = ("pi0", "pi05", "smolvla")


def read_openvla(fields: Fields, decoder: Stack) -> tuple[Stack, ...]:
    """Return the two image towers of OpenVLA, whose results stand side by side, projector and decoder."""
    names = fields.values.get("timm_model_ids", list(_TOWERS))
    if names != list(_TOWERS):
        raise ProblemError(f"{fields.place}timm_model_ids", names, f"a list of {' and '.join(_TOWERS)}")
    sizes = fields.numbers("image_sizes") or (224, 224)
    if len(sizes) != len(_TOWERS) or len(set(sizes)) != 1:
        raise ProblemError(f"{fields.place}image_sizes", list(sizes), "a list of two equal sizes in pixels")
    image = {"image_size": sizes[0]}
    dino = read_vit(Fields({**_DINO_L, **image}), "dinov2_with_registers")
    # The stored tower has no token that masks patches, and no position of the class token.
    positions = (replace(dino.tables[0], rows=dino.tables[0].rows - 1),)
    dino = replace(dino, name="dino", norm_elements=dino.norm_elements - dino.width, tables=positions)
    siglip = replace(read_siglip_vision(Fields({**_SO400M, **image}), "siglip", head=True), name="siglip")
    own, width = dino.width + siglip.width, decoder.width
    maps = (
        Projection("widen", own, 4 * own, bias=True),
        Projection("up", 4 * own, width, bias=True),
        Projection("down", width, width, bias=True),
    )
    return dino, siglip, Stack("projector", "projector", own, (), siglip.tokens, entry=maps), decoder


def read_policy(fields: Fields, kind: str, read_parts: Parts) -> tuple[Stack, ...]:
    """Return the stages of a policy of LeRobot: image tower, projector, language part, action expert and the maps around it.

    Args:
        fields: fields of the policy.
        kind: one of `POLICIES`.
        read_parts: reads a list of configurations one after the other.
    """
    state, actions = fields.size("max_state_dim", default=32), fields.size("max_action_dim", default=32)
    if kind == "smolvla":
        return _smolvla(fields, read_parts, state, actions)
    variants = []
    for name, default in (("paligemma_variant", "gemma_2b"), ("action_expert_variant", "gemma_300m")):
        variant = fields.word(name, default)
        if variant not in _VARIANTS:
            raise ProblemError(f"{fields.place}{name}", variant, f"one of {', '.join(_VARIANTS)}")
        variants.append(_VARIANTS[variant])
    words, expert = variants
    width, own = words["hidden_size"], expert["hidden_size"]
    sides = fields.numbers("image_resolution") or (224, 224)
    if len(set(sides)) != 1:
        raise ProblemError(f"{fields.place}image_resolution", list(sides), "two equal sizes in pixels")
    later = kind == "pi05"
    parts = [
        {**words, "vocab_size": 257152}, {**_SO400M, "image_size": sides[0]}, _linear(_SO400M["hidden_size"], width),
        *_expert_parts(expert, own, 0 if later else state, actions),
    ]  # fmt: skip
    stages = read_parts(fields, parts)
    return tuple(_modulated(each) if later and each.kind == "action head" else each for each in stages)


def read_pi0(fields: Fields, seeing: tuple[Stack, ...], read_parts: Parts) -> tuple[Stack, ...]:
    """Return the stages of pi0 in the fields of transformers: those that see and read, action expert and the maps around it."""
    expert = fields.section("dit_config").with_defaults(_VARIANTS["gemma_300m"])
    state, actions = fields.size("max_state_dim", default=32), fields.size("max_action_dim", default=32)
    return *seeing, *read_parts(expert, _expert_parts(expert.values, expert.size("hidden_size"), state, actions))


def _expert_parts(expert: Mapping[str, Any], width: int, state: int, actions: int) -> list[Mapping[str, Any]]:
    """Return an expert of `width` features and the maps of state, actions, and actions with time; without state where that is 0."""
    both = 2 * width if state else width
    first = [_linear(state, width)] if state else []
    maps = [_linear(actions, width), _linear(width, actions), _linear(both, width), _linear(width, width)]
    return [{**expert, "vocab_size": 0}, *first, *maps]


def _linear(inputs: int, outputs: int, bias: bool = True) -> dict[str, Any]:
    return {"model_type": "linear", "in": inputs, "out": outputs, "bias": bias}


def _modulated(expert: Stack) -> Stack:
    """Return the expert with normalisations that the time of the denoising step scales, shifts and gates (pi0.5)."""
    width = expert.width
    each = Projection("norm_of_time", width, 3 * width, bias=True, tokens_per_row=0)
    layers = tuple(
        replace(layer, norm_elements=0, extras=(each, replace(each, name="norm_of_time2"))) for layer in expert.layers
    )
    return replace(expert, layers=layers, norm_elements=0, exit=(replace(each, name="last_norm_of_time"),))


def _smolvla(fields: Fields, read_parts: Parts, state: int, actions: int) -> tuple[Stack, ...]:
    name = fields.word("vlm_model_name", _SMOLVLM2)
    if name != _SMOLVLM2:
        raise ProblemError(f"{fields.place}vlm_model_name", name, _SMOLVLM2)
    depth = fields.layers("num_vlm_layers", default=16)
    width, tokens = 960, 64
    own = int(width * fields.number("expert_width_multiplier", 0.75))
    hidden = -(-int(2 * 4 * own / 3) // 256) * 256
    words = {**_SMOL, "num_hidden_layers": depth}
    parts: list[Mapping[str, Any]] = [
        {**words, "hidden_size": width, "intermediate_size": 2560, "vocab_size": 49280},
        _SMOL_TOWER, _linear(16 * _SMOL_TOWER["hidden_size"], width, bias=False),
        {**words, "hidden_size": own, "intermediate_size": hidden, "vocab_size": 0},
        _linear(state, width), _linear(actions, own), _linear(own, actions), _linear(2 * own, own), _linear(own, own),
    ]  # fmt: skip
    images = fields.values.get("input_features")
    seen = sum("image" in key for key in images) if isinstance(images, Mapping) else 0
    prefix = max(1, seen) * tokens + fields.size("tokenizer_max_length", default=48) + 1
    fields.note(
        f"The expert reads {prefix} tokens: {max(1, seen)} images of {tokens}, the words of the task, and the state."
    )
    every = fields.size("self_attn_every_n_layers", default=2)
    stages = read_parts(fields, parts)
    return tuple(_crossing(each, every, prefix) if each.kind == "action head" else each for each in stages)


def _crossing(expert: Stack, every: int, prefix: int) -> Stack:
    """Return the expert whose layers, except one in `every`, map keys and values of the language part in place of its own."""

    def crossed(layer: Layer) -> Layer:
        mixer = layer.mixer
        assert isinstance(mixer, Attention)
        source = mixer.cache_heads * mixer.head_size
        return replace(layer, mixer=replace(mixer, causal=False, source_tokens=prefix, source_width=source))

    layers = tuple(layer if number % every == 0 else crossed(layer) for number, layer in enumerate(expert.layers))
    return replace(expert, layers=layers)
