"""Reads the text parts of Gemma 3n and Gemma 4: per-layer embeddings, shared caches, global layers with heads of their own.

Shapes are facts read from huggingface/transformers (Apache-2.0), `modeling_gemma3n.py` and `modeling_gemma4.py`.
"""

from __future__ import annotations

from dataclasses import replace

from engines.contract.errors import ProblemError
from engines.workloads.language.configuration import MAX_LAYERS, Fields
from engines.workloads.language.decoders import FULL, SLIDING, decoder_stack, experts_per_token, usual_attention
from engines.workloads.language.mixers import Attention
from engines.workloads.language.model import Experts, FeedForward, Layer, Stack
from engines.workloads.language.weights import Projection, Table, total_elements


def read_gemma3n(fields: Fields, kind: str) -> Stack:
    """Return the text part of Gemma 3n."""
    defaults = {"head_dim": 256, "num_attention_heads": 8, "num_key_value_heads": 2, "hidden_size_per_layer_input": 256,
                "vocab_size": 262400, "vocab_size_per_layer_input": 262144, "num_kv_shared_layers": 15, "altup_num_inputs": 4,
                "laurel_rank": 64, "sliding_window": 512, "full_attention_every": 5}  # fmt: skip
    fields = fields.with_defaults(defaults)
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    attention = _attention(fields, width)
    inputs, rank = fields.size("altup_num_inputs", most=MAX_LAYERS), fields.size("laurel_rank")
    per_layer = fields.size("hidden_size_per_layer_input")
    extras = (
        Projection("modality_router", width, inputs),
        Projection("prediction", inputs, inputs**2),
        Projection("correction", inputs, inputs),
        Projection("low_rank_down", width, rank),
        Projection("low_rank_up", rank, width),
        *_per_layer_input(width, per_layer),
    )
    # Four normalisations, those of router, low-rank residual and per-layer input, and a scale of the correction.
    norms = 8 * width
    hidden = _hidden_sizes(fields, count)
    kinds = _kinds(fields, count, fields.size("full_attention_every"))
    window = fields.size("sliding_window")
    shared_from = count - fields.size("num_kv_shared_layers", least=0, most=count)
    layers = []
    for number, each in enumerate(kinds):
        mixer = replace(attention, window_tokens=window if each == SLIDING else None)
        mixer = _sharing(mixer, width, stored=True) if 0 < shared_from <= number else mixer
        layers.append(Layer(mixer, FeedForward(hidden[number]), norms, extras=extras))
    stack = decoder_stack(
        fields, layers, norm=width + per_layer, tied=True, tables=_per_layer_table(fields, count, per_layer)
    )
    streams = tuple(
        Projection(f"{name}_{number}", width, width) for name in ("spread", "join") for number in range(1, inputs)
    )
    entry = (*streams[: inputs - 1], Projection("per_layer_model", width, count * per_layer))
    return replace(stack, entry=entry, exit=streams[inputs - 1 :])


def read_gemma4(fields: Fields, kind: str) -> Stack:
    """Return the text part of Gemma 4."""
    defaults = {"head_dim": 256, "num_attention_heads": 8, "num_key_value_heads": 4, "hidden_size_per_layer_input": 256,
                "vocab_size": 262144, "vocab_size_per_layer_input": 262144, "sliding_window": 512,
                "global_head_dim": 512}  # fmt: skip
    fields = fields.with_defaults(defaults)
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    window, per_layer = fields.size("sliding_window"), fields.size("hidden_size_per_layer_input", least=0)
    local, whole = _attention(fields, width), _global_attention(fields, width)
    shared_from = count - fields.size("num_kv_shared_layers", default=0, least=0, most=count)
    kinds = _kinds(fields, count, 6)
    experts = fields.flag("enable_moe_block")
    hidden, wide = fields.size("intermediate_size"), fields.flag("use_double_wide_mlp")
    layers = []
    for number, each in enumerate(kinds):
        shares = 0 < shared_from <= number
        mixer = replace(local, window_tokens=window) if each == SLIDING else whole
        mixer = _sharing(mixer, width, stored=False) if shares else mixer
        own = hidden * (2 if wide and shares else 1)
        part = _experts(fields, own, width) if experts else FeedForward(own)
        # Four normalisations, three more beside experts, and that of the per-layer input.
        norms = (4 + 3 * experts + (per_layer > 0)) * width
        layers.append(Layer(mixer, part, norms, extras=_per_layer_input(width, per_layer)))
    tied = fields.flag("tie_word_embeddings", default=True)
    if not per_layer:
        return decoder_stack(fields, layers, norm=width, tied=tied)
    stack = decoder_stack(
        fields, layers, norm=width + per_layer, tied=tied, tables=_per_layer_table(fields, count, per_layer)
    )
    return replace(stack, entry=(Projection("per_layer_model", width, count * per_layer),))


def _attention(fields: Fields, width: int) -> Attention:
    attention = usual_attention(fields, width)
    return replace(attention, norm_elements=2 * attention.head_size)


def _global_attention(fields: Fields, width: int) -> Attention:
    """Return the attention of layers that see all tokens: wider heads, and keys as values where the model says so."""
    same = fields.flag("attention_k_eq_v")
    given = {"head_dim": fields.size("global_head_dim")}
    if same and fields.has("num_global_key_value_heads"):
        given["num_key_value_heads"] = fields.size("num_global_key_value_heads")
    attention = _attention(Fields({**fields.values, **given}, fields.place, fields.notes), width)
    return replace(attention, value_is_key=same)


def _sharing(attention: Attention, width: int, *, stored: bool) -> Attention:
    """Return a layer that reads keys and values of an earlier one; `stored`: files hold maps of its own all the same."""
    unused = total_elements(attention.source_weights(width)) if stored else 0
    norms = attention.norm_elements if stored else attention.head_size
    return replace(attention, shares_cache_of_earlier_layer=True, norm_elements=norms, unused_elements=unused)


def _kinds(fields: Fields, count: int, every: int) -> tuple[str, ...]:
    kinds = fields.kinds("layer_types", count, (FULL, SLIDING))
    return kinds or tuple(FULL if (number + 1) % every == 0 else SLIDING for number in range(count))


def _hidden_sizes(fields: Fields, count: int) -> tuple[int, ...]:
    if not isinstance(fields.values.get("intermediate_size"), list):
        return (fields.size("intermediate_size"),) * count
    sizes = fields.numbers("intermediate_size")
    if len(sizes) != count or 0 in sizes:
        raise ProblemError(
            f"{fields.place}intermediate_size", list(sizes), f"one size or {count} sizes (num_hidden_layers)"
        )
    return sizes


def _experts(fields: Fields, hidden: int, width: int) -> Experts:
    count = fields.size("num_experts", most=10**5)
    # The router scales its input (one factor per feature) and each expert.
    vectors = width + count
    return Experts(
        count, experts_per_token(fields, count), fields.size("moe_intermediate_size"), hidden, vectors=vectors
    )


def _per_layer_input(width: int, per_layer: int) -> tuple[Projection, ...]:
    if not per_layer:
        return ()
    return Projection("per_layer_gate", width, per_layer), Projection("per_layer_projection", per_layer, width)


def _per_layer_table(fields: Fields, count: int, per_layer: int) -> tuple[Table, ...]:
    return (Table("per_layer_embedding", fields.size("vocab_size_per_layer_input"), count * per_layer),)
