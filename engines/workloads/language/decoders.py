"""Reads decoders: layers of attention and feed-forward parts, and models that mix other layers in.

Shapes are facts read from the modelling files of huggingface/transformers (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.workloads.language.configuration import Fields
from engines.workloads.language.dense_families import FAMILIES, Family
from engines.workloads.language.mixers import Attention, LatentAttention
from engines.workloads.language.model import Experts, FeedForward, Layer, Stack
from engines.workloads.language.recurrent_mixers import gated_delta_net, mamba2, short_convolution
from engines.workloads.language.weights import Projection, Table

FULL, SLIDING, LINEAR, CONVOLUTION = "full_attention", "sliding_attention", "linear_attention", "conv"
CHUNKED = "chunked_attention"


def decoder_stack(
    fields: Fields,
    layers: list[Layer],
    *,
    norm: int,
    tied: bool,
    head_bias: bool = False,
    tables: tuple[Table, ...] = (),
) -> Stack:
    """Return the decoder with embedding, final normalisation and head.

    Args:
        fields: with `hidden_size` and `vocab_size`; a vocabulary of 0 leaves embedding and head out.
        layers: layers of the decoder.
        norm: weights outside of the layers.
        tied: whether the head is the table of words.
        head_bias: whether the head has a bias.
        tables: besides that of the words.
    """
    width, vocabulary = fields.size("hidden_size", "d_model"), fields.size("vocab_size", least=0)
    if not vocabulary:
        return Stack("action head", "expert", width, tuple(layers), norm_elements=norm, tables=tables)
    words = Table("embedding", vocabulary, width, head=tied)
    head = Projection("head", width, vocabulary, head_bias)
    return Stack("decoder", "decoder", width, tuple(layers), 0, (words, *tables), norm_elements=norm, head=head)


def read_dense(fields: Fields, kind: str) -> Stack:
    """Return a decoder of attention and feed-forward parts (`dense_families.FAMILIES`)."""
    family = FAMILIES[kind]
    fields = _renamed(fields, kind).with_defaults(family.defaults)
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    attention = _attention(fields, family, kind, width)
    windows = _windows(fields, family, count, kind)
    feed_forward = _feed_forward(fields, family, kind)
    norms = _norms(fields, family, kind) * family.norm_parts * width
    layers = [
        Layer(replace(attention, window_tokens=window), feed_forward(number), norms)
        for number, window in enumerate(windows)
    ]
    tables: tuple[Table, ...] = ()
    if family.positions is not None:
        rows = fields.size("max_position_embeddings", "n_positions", default=1024) + family.positions
        tables = (Table("positions", rows, width),)
    return decoder_stack(
        fields, layers, norm=family.norm_parts * width, tied=fields.flag("tie_word_embeddings"),
        head_bias=_flag(fields, family.head_bias), tables=tables,
    )  # fmt: skip


def heads_of(fields: Fields, width: int) -> tuple[int, int, int]:
    """Return the heads of queries, of keys and values, and features of a head.

    Raises:
        ProblemError: heads that do not divide.
    """
    heads = fields.size("num_attention_heads", most=10**6)
    cache_heads = fields.size("num_key_value_heads", "num_kv_heads", default=heads, most=10**6)
    fields.divide("num_attention_heads", heads, cache_heads, "number of heads of keys and values")
    if fields.has("head_dim"):
        return heads, cache_heads, fields.size("head_dim", most=10**6)
    size = fields.share("num_attention_heads", heads, width, "hidden_size, as head_dim is not given")
    return heads, cache_heads, size


def usual_attention(fields: Fields, width: int) -> Attention:
    """Return attention with a bias of all maps, or of none, as `attention_bias` says."""
    heads, cache_heads, size = heads_of(fields, width)
    bias = fields.flag("attention_bias")
    return Attention(heads, cache_heads, size, query_bias=bias, key_bias=bias, value_bias=bias, output_bias=bias)


def _flag(fields: Fields, value: bool | str) -> bool:
    return fields.flag(value) if isinstance(value, str) else value


def _renamed(fields: Fields, kind: str) -> Fields:
    """Return the fields of older families under the names of the others."""
    if kind in ("gpt2", "gptj", "gpt_bigcode", "phi-msft"):
        width = fields.size("n_embd", "hidden_size")
        one = kind == "gpt_bigcode" and fields.flag("multi_query", True)
        names = {"num_key_value_heads": 1 if one else fields.values.get("n_head_kv"),
                 "hidden_size": width, "num_hidden_layers": fields.layers("n_layer", "num_hidden_layers"),
                 "num_attention_heads": fields.size("n_head", "num_attention_heads"),
                 "intermediate_size": fields.size("n_inner", default=4 * width)}  # fmt: skip
        return fields.under(names)
    if kind == "qwen":  # its file counts gate and map together
        both = fields.size("intermediate_size")
        return Fields({**fields.values, "intermediate_size": fields.divide("intermediate_size", both, 2, "number of maps")},
                      fields.place, fields.notes)  # fmt: skip
    if kind == "opt":
        return fields.under({"intermediate_size": fields.size("ffn_dim")})
    if kind == "falcon":
        width = fields.size("hidden_size")
        heads = fields.size("num_attention_heads", default=71)
        grouped = fields.flag("new_decoder_architecture")
        cache_heads = (
            fields.size("num_kv_heads", default=heads) if grouped else 1 if fields.flag("multi_query", True) else heads
        )
        shape = {
            "intermediate_size": fields.size("ffn_hidden_size", default=4 * width),
            "num_key_value_heads": cache_heads,
        }
        return Fields({**fields.values, **shape}, fields.place, fields.notes)
    return fields


def _norms(fields: Fields, family: Family, kind: str) -> int:
    if kind.startswith("stablelm"):
        return 1 if fields.flag("use_parallel_residual") else 2
    if kind == "falcon":
        parallel = fields.flag("parallel_attn", True)
        grouped = fields.flag("new_decoder_architecture")
        return fields.size("num_ln_in_parallel_attn", default=2) if grouped else 1 if parallel else 2
    return family.norms


def _attention(fields: Fields, family: Family, kind: str, width: int) -> Attention:
    heads, cache_heads, size = heads_of(fields, width)
    bias = _flag(fields, family.input_bias)
    norm = {"": 0, "head": 2 * size, "all": (heads + cache_heads) * size}[family.query_key_norm]
    if fields.flag("qk_layernorm") or (kind.startswith("cohere") and fields.flag("use_qk_norm")):
        norm = (heads + cache_heads) * size
    norm += heads * size * family.inner_norms
    return Attention(
        heads, cache_heads, size, query_bias=bias, key_bias=bias, value_bias=bias,
        output_bias=_flag(fields, family.output_bias), norm_elements=norm, sinks=kind == "gpt_oss",
    )  # fmt: skip


def _windows(fields: Fields, family: Family, count: int, kind: str) -> list[int | None]:
    """Return the window of each layer; None where it sees all tokens."""
    window = None
    if fields.flag("use_sliding_window", default=True) and fields.values.get("sliding_window"):
        window = fields.size("sliding_window")
    if window is not None and "use_sliding_window" not in fields.values and kind.startswith(("qwen", "smollm", "mimo")):
        window = None  # of these families the window counts only where the switch is on
    kinds = fields.kinds("layer_types", count, (FULL, SLIDING))
    if kinds is None and family.every_full:
        every = fields.size("sliding_window_pattern", "_sliding_window_pattern", default=family.every_full)
        kinds = tuple(FULL if (number + 1) % every == 0 else SLIDING for number in range(count))
    if kinds is None and kind.startswith("qwen") and window is not None:
        first = fields.size("max_window_layers", default=28, least=0)
        kinds = tuple(FULL if number < first else SLIDING for number in range(count))
    if kinds is None:
        return [window] * count
    return [window if each == SLIDING else None for each in kinds]


def _feed_forward(fields: Fields, family: Family, kind: str) -> Callable[[int], FeedForward | Experts]:
    """Return number of a layer -> its feed-forward part."""
    experts_field = next((name for name in ("num_local_experts", "num_experts") if fields.has(name)), "")
    bias = _flag(fields, family.feed_forward_bias)
    if not experts_field or not fields.size(experts_field, least=0):
        hidden = fields.size("intermediate_size")
        dense = FeedForward(hidden, family.gated, bias, hidden * family.inner_norms)
        return lambda number: dense
    count = fields.size(experts_field, most=10**5)
    shared = fields.size("shared_expert_intermediate_size", default=0, least=0)
    experts = Experts(
        count, experts_per_token(fields, count), fields.size("moe_intermediate_size", "intermediate_size"), shared,
        bias=kind == "gpt_oss", router_bias=kind == "gpt_oss", shared_gate=shared > 0,
    )  # fmt: skip
    step, dense_layers = fields.size("decoder_sparse_step", default=1), set(fields.numbers("mlp_only_layers"))

    def part(number: int) -> FeedForward | Experts:
        if number in dense_layers or (number + 1) % step:
            return FeedForward(fields.size("intermediate_size"), family.gated, bias)
        return experts

    return part


def experts_per_token(fields: Fields, count: int) -> int:
    """Return the experts that a token passes, at most all of them."""
    return fields.size("num_experts_per_tok", "experts_per_token", "top_k_experts", most=count)


def read_llama4(fields: Fields, kind: str) -> Stack:
    """Return a decoder of attention in chunks, except in some layers, with experts in some or all layers (Llama 4)."""
    defaults = {"head_dim": 128, "num_key_value_heads": 8, "num_local_experts": 16, "num_experts_per_tok": 1,
                "interleave_moe_layer_step": 1, "attention_chunk_size": 8192}  # fmt: skip
    fields = fields.with_defaults(defaults)
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    whole = usual_attention(fields, width)
    chunk = fields.size("attention_chunk_size") if fields.has("attention_chunk_size") else None
    local = replace(whole, window_tokens=chunk, chunked=chunk is not None)
    if chunk:
        fields.note(
            f"Attention sees {chunk:,} tokens at most, those of its chunk; surveys assume that many of longer contexts."
        )
    kinds = fields.kinds("layer_types", count, (FULL, CHUNKED)) or _llama4_kinds(fields, count)
    hidden, step = fields.size("intermediate_size"), fields.size("interleave_moe_layer_step", least=0)
    number_of = fields.size("num_local_experts", most=10**5)
    experts = Experts(number_of, experts_per_token(fields, number_of), hidden, hidden)
    every = tuple(range(step - 1, count, step)) if step else ()
    mixed = set(fields.numbers("moe_layers") if fields.has("moe_layers") else every)
    dense = FeedForward(hidden if len(mixed) == count else fields.size("intermediate_size_mlp"))
    layers = [
        Layer(local if each == CHUNKED else whole, experts if number in mixed else dense, 2 * width)
        for number, each in enumerate(kinds)
    ]
    return decoder_stack(fields, layers, norm=width, tied=fields.flag("tie_word_embeddings"))


def _llama4_kinds(fields: Fields, count: int) -> tuple[str, ...]:
    """Return the kinds of layers by the list of those that rotate (1), or by the interval of those that do not."""
    listed, interval = fields.numbers("no_rope_layers"), fields.size("no_rope_layer_interval", default=4)
    if listed and len(listed) < count:
        accepted = f"a list of {count} numbers (num_hidden_layers)"
        raise ProblemError(f"{fields.place}no_rope_layers", list(listed), accepted)
    rotates = listed or [(number + 1) % interval for number in range(count)]
    return tuple(CHUNKED if rotates[number] else FULL for number in range(count))


_LATENT_DEFAULTS: dict[str, dict[str, Any]] = {
    "minicpm3": {"q_lora_rank": 768, "kv_lora_rank": 256, "qk_nope_head_dim": 64, "qk_rope_head_dim": 32, "v_head_dim": 64,
                 "tie_word_embeddings": True},
}  # fmt: skip


def read_deepseek(fields: Fields, kind: str) -> Stack:
    """Return a decoder with latent attention, and experts where it has them (DeepSeek V2 and V3, MiniCPM 3).

    The first DeepSeek has experts and no latents.
    """
    fields = fields.with_defaults(_LATENT_DEFAULTS.get(kind, {}))
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    query_latent = fields.size(
        "q_lora_rank", default=0 if kind != "deepseek_v3" or "q_lora_rank" in fields.values else 1536
    )
    third = kind not in ("deepseek", "deepseek_v2")
    attention = Attention(*heads_of(fields, width)) if kind == "deepseek" else LatentAttention(
        fields.size("num_attention_heads"), query_latent, fields.size("kv_lora_rank", default=512),
        fields.size("qk_rope_head_dim", default=64), fields.size("qk_nope_head_dim", default=128),
        fields.size("v_head_dim", default=128), fields.flag("attention_bias"),
    )  # fmt: skip
    dense = FeedForward(fields.size("intermediate_size"))
    routed = fields.size("n_routed_experts", default=0, least=0)
    part: Experts | FeedForward = dense
    if routed:
        hidden = fields.size("moe_intermediate_size")
        shared = fields.size("n_shared_experts", default=0, least=0) * hidden
        correction = third and fields.word("topk_method", "noaux_tc") == "noaux_tc"
        per_token = experts_per_token(fields, routed)
        part = Experts(routed, per_token, hidden, shared, router_bias=correction)
    first, step = fields.size("first_k_dense_replace", default=0, least=0), fields.size("moe_layer_freq", default=1)
    layers = [
        Layer(attention, dense if number < first or number % step else part, 2 * width) for number in range(count)
    ]
    return decoder_stack(fields, layers, norm=width, tied=fields.flag("tie_word_embeddings"))


def read_delta_hybrid(fields: Fields, kind: str) -> Stack:
    """Return a decoder of gated delta nets with attention between them (Qwen 3 Next, Qwen 3.5)."""
    fields = fields.with_defaults({"head_dim": 256, "linear_conv_kernel_dim": 4, "full_attention_interval": 4})
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    gate = fields.flag("attn_output_gate", default=True)
    attention = usual_attention(fields, width)
    attention = replace(attention, norm_elements=2 * attention.head_size, output_gate=gate)
    every = fields.size("full_attention_interval")
    kinds = fields.kinds("layer_types", count, (FULL, LINEAR))
    kinds = kinds or tuple(FULL if (number + 1) % every == 0 else LINEAR for number in range(count))
    linear = gated_delta_net(fields, width) if LINEAR in kinds else None
    part = _feed_forward(fields, Family(), kind)
    layers = [
        Layer(linear if each == LINEAR else attention, part(number), 2 * width) for number, each in enumerate(kinds)
    ]
    return decoder_stack(fields, layers, norm=width, tied=fields.flag("tie_word_embeddings"))


def read_lfm2(fields: Fields, kind: str) -> Stack:
    """Return a decoder of short convolutions with attention between them (LFM2)."""
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    heads, cache_heads, size = heads_of(fields, width)
    attention = Attention(heads, cache_heads, size, norm_elements=2 * size)
    kinds = fields.kinds("layer_types", count, (FULL, CONVOLUTION))
    if kinds is None:
        full = fields.numbers("full_attn_idxs") or tuple(range(count))
        kinds = tuple(FULL if number in full else CONVOLUTION for number in range(count))
    convolution = short_convolution(fields, width)
    dense = FeedForward(_lfm2_hidden(fields))
    part = _lfm2_experts(fields) if fields.size("num_experts", default=0, least=0) else None
    first = fields.size("num_dense_layers", default=2, least=0) if part else count
    layers = [
        Layer(
            convolution if each == CONVOLUTION else attention, dense if number < first or not part else part, 2 * width
        )
        for number, each in enumerate(kinds)
    ]
    tied = fields.flag("tie_word_embeddings", default=fields.flag("tie_embedding", default=True))
    return decoder_stack(fields, layers, norm=width, tied=tied)


def _lfm2_hidden(fields: Fields) -> int:
    hidden = fields.size("block_ff_dim", "intermediate_size")
    if not fields.flag("block_auto_adjust_ff_dim", default=fields.has("block_ff_dim")):
        return hidden
    hidden = int(fields.number("block_ffn_dim_multiplier", 1.0) * int(2 * hidden / 3))
    multiple = fields.size("block_multiple_of", default=256)
    return -(-hidden // multiple) * multiple


def _lfm2_experts(fields: Fields) -> Experts:
    count = fields.size("num_experts")
    bias = fields.flag("use_expert_bias", default=True)
    return Experts(count, experts_per_token(fields, count), fields.size("moe_intermediate_size"), router_bias=bias)


def read_mamba2(fields: Fields, kind: str) -> Stack:
    """Return a decoder of Mamba-2 layers, each with one normalisation."""
    groups = 1 if kind == "mamba_ssm" else 8
    defaults = {"head_dim": 64, "state_size": 128, "expand": 2, "n_groups": groups, "conv_kernel": 4}
    fields = fields.with_defaults(defaults)
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    layer = Layer(mamba2(fields, width), None, width)
    return decoder_stack(fields, [layer] * count, norm=width, tied=fields.flag("tie_word_embeddings"))


_NEMOTRON_LAYERS = {"M": "mamba", "-": "mlp", "*": "attention", "E": "moe"}
_NEMOTRON_NAMES = {**{name: name for name in _NEMOTRON_LAYERS.values()}, LINEAR: "mamba", FULL: "attention"}


def read_nemotron_h(fields: Fields, kind: str) -> Stack:
    """Return a decoder whose layers are each a Mamba-2 mixer, attention, a feed-forward part or experts (Nemotron-H)."""
    width, pattern = fields.size("hidden_size"), fields.word("hybrid_override_pattern").replace("|", "")
    listed = fields.values.get("layers_block_type")
    length = len(pattern or (listed if isinstance(listed, list) else "")) or None
    count = fields.layers("num_hidden_layers", default=length)
    kinds = tuple(_NEMOTRON_LAYERS.get(letter, letter) for letter in pattern)
    if not pattern:
        names = fields.kinds("layers_block_type", count, tuple(_NEMOTRON_NAMES)) or ()
        kinds = tuple(_NEMOTRON_NAMES[name] for name in names)
    if len(kinds) != count or set(kinds) - set(_NEMOTRON_LAYERS.values()):
        accepted = f"{count} letters (num_hidden_layers), each one of {', '.join(_NEMOTRON_LAYERS)}"
        raise ProblemError(f"{fields.place}hybrid_override_pattern", pattern or None, accepted)
    parts: dict[str, Layer] = {}
    for each in set(kinds):
        parts[each] = _nemotron_layer(fields, each, width)
    return decoder_stack(fields, [parts[each] for each in kinds], norm=width, tied=fields.flag("tie_word_embeddings"))


def _nemotron_layer(fields: Fields, kind: str, width: int) -> Layer:
    if kind == "mamba":
        return Layer(mamba2(fields, width, "mamba_"), None, width)
    if kind == "attention":
        defaults = {"head_dim": 128, "num_key_value_heads": 8}
        return Layer(usual_attention(fields.with_defaults(defaults), width), None, width)
    bias = fields.flag("mlp_bias")
    if kind == "mlp":
        return Layer(None, FeedForward(fields.size("intermediate_size"), gated=False, bias=bias), width)
    count = fields.size("n_routed_experts")
    shared = fields.size("n_shared_experts", default=1, least=0) and fields.size(
        "moe_shared_expert_intermediate_size", least=0
    )
    hidden = fields.size("moe_intermediate_size")
    per_token = experts_per_token(fields, count)
    return Layer(None, Experts(count, per_token, hidden, shared, gated=False, bias=bias, router_bias=True), width)
