"""Reads hybrids of state-space layers and attention: Granite 4, Bamba, Falcon-H1, Jamba, Zamba 2.

Shapes and defaults are facts read from the configuration and modelling files of huggingface/transformers (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.workloads.language.configuration import Fields
from engines.workloads.language.decoders import decoder_stack, experts_per_token, usual_attention
from engines.workloads.language.mixers import Attention, Mixer, Recurrence
from engines.workloads.language.model import Experts, FeedForward, Layer, Stack
from engines.workloads.language.recurrent_mixers import mamba1, mamba2
from engines.workloads.language.weights import Projection

# Newer files name the kinds of layers as those of other families.
_KINDS = {"mamba": "mamba", "linear_attention": "mamba", "attention": "attention", "full_attention": "attention"}
_STATE_SPACE: dict[str, Any] = {"mamba_n_groups": 1, "mamba_d_state": 256, "mamba_d_conv": 4}
_OLDER_ZAMBA2 = {"adapter_rank": "lora_rank", "use_shared_attention_adapter": "use_shared_attention_lora",
                 "mamba_d_state": "state_size", "mamba_d_conv": "conv_kernel", "mamba_expand": "expand"}  # fmt: skip
_DEFAULTS: dict[str, dict[str, Any]] = {
    "granitemoehybrid": {**_STATE_SPACE, "mamba_n_heads": 128, "mamba_d_head": "auto", "mamba_expand": 2},
    "bamba": {**_STATE_SPACE, "mamba_n_heads": 128, "mamba_d_head": "auto", "mamba_expand": 2, "num_key_value_heads": 8},
    "falcon_h1": {**_STATE_SPACE, "mamba_n_heads": 128, "mamba_d_head": "auto", "num_key_value_heads": 8},
    "jamba": {"num_key_value_heads": 8, "num_experts": 16, "num_experts_per_tok": 2, "expert_layer_period": 2,
              "expert_layer_offset": 1, "attn_layer_period": 8, "attn_layer_offset": 4, "mamba_d_state": 16, "mamba_d_conv": 4,
              "mamba_expand": 2},
    "zamba2": {"mamba_d_state": 64, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_ngroups": 1,
               "num_mem_blocks": 1, "adapter_rank": 128, "tie_word_embeddings": True},
}  # fmt: skip


def read_hybrid(fields: Fields, kind: str) -> Stack:
    """Return a decoder whose layers have a state-space mixer, attention or (Falcon-H1) both, and a feed-forward part each."""
    fields = fields.with_defaults(_DEFAULTS[kind])
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    attention = usual_attention(fields, width)
    kinds = _kinds(fields, count, kind)
    mixers: dict[str, Mixer] = {"attention": attention}
    if set(kinds) != {"attention"}:
        mixers["mamba"] = {"jamba": _jamba_mixer, "falcon_h1": _falcon_mixer}.get(kind, _mamba2)(fields, width)
    part = _feed_forward(fields, kind)
    layers = [
        Layer(mixers["mamba"], part(number), 2 * width, parallel=attention)
        if each == "both"
        else Layer(mixers[each], part(number), 2 * width)
        for number, each in enumerate(kinds)
    ]
    return decoder_stack(fields, layers, norm=width, tied=fields.flag("tie_word_embeddings"))


def _kinds(fields: Fields, count: int, kind: str) -> tuple[str, ...]:
    if kind == "falcon_h1":
        return ("both",) * count
    full: Callable[[int], bool]
    if kind == "jamba":
        full = _every(fields, "attn_layer")
    elif kind == "bamba":
        indices = set(fields.numbers("attn_layer_indices"))
        if indices and max(indices) >= count:
            accepted = f"numbers below {count} (num_hidden_layers)"
            raise ProblemError(f"{fields.place}attn_layer_indices", sorted(indices), accepted)
        full = indices.__contains__
    else:
        names = fields.kinds("layer_types", count, tuple(_KINDS)) or ("mamba",) * count
        return tuple(_KINDS[name] for name in names)
    return tuple("attention" if full(number) else "mamba" for number in range(count))


def _every(fields: Fields, name: str) -> Callable[[int], bool]:
    """Return whether a layer is one of those that a period and an offset name."""
    period = fields.size(f"{name}_period")
    offset = fields.size(f"{name}_offset", least=0)
    if offset >= period:
        raise ProblemError(f"{fields.place}{name}_offset", offset, f"a number below {name}_period ({period})")
    return lambda number: number % period == offset


def _feed_forward(fields: Fields, kind: str) -> Callable[[int], FeedForward | Experts]:
    """Return number of a layer -> its feed-forward part."""
    if kind == "granitemoehybrid":
        part: FeedForward | Experts = FeedForward(fields.size("shared_intermediate_size", default=1024))
        if count := fields.size("num_local_experts", default=0, least=0):
            hidden = fields.size("intermediate_size")
            part = Experts(
                count, experts_per_token(fields, count), hidden, fields.size("shared_intermediate_size", default=1024)
            )
        return lambda number: part
    dense = FeedForward(fields.size("intermediate_size"), bias=fields.flag("mlp_bias"))
    if kind != "jamba" or (count := fields.size("num_experts")) == 1:
        return lambda number: dense
    experts = Experts(count, experts_per_token(fields, count), dense.hidden)
    mixed = _every(fields, "expert_layer")
    return lambda number: experts if mixed(number) else dense


def _mamba2(fields: Fields, width: int) -> Recurrence:
    return mamba2(fields, width, "mamba_")


def _falcon_mixer(fields: Fields, width: int) -> Recurrence:
    """Return the Mamba-2 mixer of Falcon-H1: of a width of its own, as a rule without a normalisation before its last map."""
    inner = fields.size("mamba_d_ssm", default=fields.size("mamba_expand", default=2) * width)
    heads = fields.size("mamba_n_heads")
    size = fields.share("mamba_n_heads", heads, inner, "mamba_d_ssm")
    if fields.values.get("mamba_d_head") not in (None, "auto", size):
        accepted = f"mamba_d_ssm / mamba_n_heads ({size})"
        raise ProblemError(f"{fields.place}mamba_d_head", fields.values["mamba_d_head"], accepted)
    mixer = mamba2(Fields({**fields.values, "mamba_d_head": size}, fields.place, fields.notes), width, "mamba_")
    after = (Projection("output", inner, width, fields.flag("projectors_bias")),)
    return replace(mixer, after=after, vectors=mixer.vectors - inner * (not fields.flag("mamba_rms_norm")))


def _jamba_mixer(fields: Fields, width: int) -> Recurrence:
    """Return the Mamba mixer of Jamba, which normalises time step and both vectors of the selection."""
    state = fields.size("mamba_d_state")
    automatic = fields.values.get("mamba_dt_rank", "auto") == "auto"
    rank = -(-width // 16) if automatic else fields.size("mamba_dt_rank")
    names = {"intermediate_size": fields.size("mamba_expand") * width, "state_size": state, "time_step_rank": rank,
             "conv_kernel": fields.size("mamba_d_conv"), "use_bias": fields.flag("mamba_proj_bias"),
             "use_conv_bias": fields.flag("mamba_conv_bias", default=True)}  # fmt: skip
    mixer = mamba1(Fields(names), width)
    return replace(mixer, vectors=mixer.vectors + rank + 2 * state)


def read_zamba2(fields: Fields, kind: str) -> Stack:
    """Return a decoder of Mamba-2 layers, before some of which a block of attention runs whose weights they share (Zamba 2).

    A block reads the result so far beside the embedding of the token. Each use has low-rank maps and a last map of its own.
    """
    older = {new: fields.values[old] for new, old in _OLDER_ZAMBA2.items() if fields.has(old)}
    fields = fields.under(older).with_defaults(_DEFAULTS[kind])
    width, count, blocks = fields.size("hidden_size"), fields.layers("num_hidden_layers"), fields.size("num_mem_blocks")
    accepted = ("mamba", "linear_attention", "hybrid")
    kinds = fields.kinds("layers_block_type", count, accepted)
    if kinds is None:
        raise ProblemError(
            f"{fields.place}layers_block_type", None, f"a list of {count} kinds of layers: {', '.join(accepted)}"
        )
    bias, inner = fields.flag("add_bias_linear"), 2 * width
    heads = fields.size("num_attention_heads", most=10**6)
    size = fields.share("num_attention_heads", heads, inner, "2 x hidden_size")
    cache_heads = fields.size("num_key_value_heads", default=heads)
    fields.divide("num_attention_heads", heads, cache_heads, "number of heads of keys and values")
    attention = Attention(heads, cache_heads, size, input_width=inner)
    part = FeedForward(fields.size("intermediate_size", default=4 * width), bias=bias)
    shared = Layer(attention, part, inner + width, extras=_own_maps(fields, width, part.hidden))
    own = fields.size("mamba_expand") * width
    by_size = own // fields.size("mamba_headdim") if fields.has("mamba_headdim") else 8
    state_space_heads = fields.size("n_mamba_heads", default=max(1, by_size))
    names = {"mamba_n_heads": state_space_heads, "mamba_n_groups": fields.size("mamba_ngroups"), "mamba_proj_bias": bias,
             "mamba_d_head": fields.share("n_mamba_heads", state_space_heads, own, "mamba_expand x hidden_size")}  # fmt: skip
    state_space = Layer(
        mamba2(Fields({**fields.values, **names}, fields.place, fields.notes), width, "mamba_"), None, width
    )
    layers: list[Layer] = []
    used = 0
    for each in kinds:
        if each == "hybrid":
            layers.append(replace(shared, block=f"block{used % blocks}"))
            used += 1
        layers.append(state_space)
    return decoder_stack(fields, layers, norm=width, tied=fields.flag("tie_word_embeddings"))


def _own_maps(fields: Fields, width: int, hidden: int) -> tuple[Projection, ...]:
    """Return the maps that each use of a shared block has for itself."""
    rank = fields.size("adapter_rank")
    maps = [Projection("gate_up_down", width, rank), Projection("gate_up_up", rank, 2 * hidden)]
    if fields.flag("use_shared_attention_adapter"):
        for name in ("query", "key", "value"):
            maps += [Projection(f"{name}_down", 2 * width, rank), Projection(f"{name}_up", rank, 2 * width)]
    return *maps, Projection("joined", width, width)
