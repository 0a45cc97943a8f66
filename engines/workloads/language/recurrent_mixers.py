"""Mixers with a state of fixed size: gated delta nets, Mamba, short convolutions, RWKV-7.

Shapes are facts read from huggingface/transformers (Apache-2.0), state-spaces/mamba (Apache-2.0) and
fla-org/flash-linear-attention (MIT).
"""

from __future__ import annotations

from dataclasses import replace

from engines.workloads.language.configuration import Fields
from engines.workloads.language.mixers import Recurrence, StateProducts
from engines.workloads.language.model import FeedForward, Layer, Stack
from engines.workloads.language.weights import Projection, Table


def convolution(name: str, channels: int, kernel: int, bias: bool) -> Projection:
    """Return a depthwise convolution over the latest `kernel` tokens."""
    return Projection(name, channels, channels, bias, groups=channels, kernel=kernel)


def gated_delta_net(fields: Fields, width: int) -> Recurrence:
    """Return the gated delta net of Qwen 3 Next and 3.5 (`linear_...` fields)."""
    key_heads, value_heads = fields.size("linear_num_key_heads"), fields.size("linear_num_value_heads")
    fields.divide("linear_num_value_heads", value_heads, key_heads, "number of heads of keys (linear_num_key_heads)")
    key_size, value_size = fields.size("linear_key_head_dim"), fields.size("linear_value_head_dim")
    keys, values = key_heads * key_size, value_heads * value_size
    channels, kernel = 2 * keys + values, fields.size("linear_conv_kernel_dim")
    before = (
        Projection("query_key_value", width, channels),
        Projection("gate", width, values),
        Projection("rates", width, 2 * value_heads),
        convolution("convolution", channels, kernel, bias=False),
    )
    products = StateProducts(value_heads, key_size, value_size, ("read", "update", "result"))
    vectors = 2 * value_heads + value_size
    after = (Projection("output", values, width),)
    return Recurrence("gated delta net", before, after, products, vectors, channels * (kernel - 1))


def short_convolution(fields: Fields, width: int) -> Recurrence:
    """Return the gated short convolution of LFM2."""
    kernel, bias = fields.size("conv_L_cache", default=3), fields.flag("conv_bias")
    before = (Projection("input", width, 3 * width, bias), convolution("convolution", width, kernel, bias))
    after = (Projection("output", width, width, bias),)
    return Recurrence("short convolution", before, after, None, 0, width * (kernel - 1))


def mamba2(fields: Fields, width: int, prefix: str = "") -> Recurrence:
    """Return a Mamba-2 mixer (arXiv 2405.21060).

    Args:
        fields: in the names of Mamba-2, of Nemotron-H, or of Granite hybrids.
        width: width of the stack.
        prefix: prefix of the fields for heads and biases.
    """
    head_names = (f"{prefix}d_head", f"{prefix}head_dim")
    inner = fields.size(f"{prefix}expand", "expand", default=2) * width
    count_names = (f"{prefix}n_heads", f"{prefix}num_heads")
    if fields.values.get(head_names[0]) == "auto":
        heads = fields.size(*count_names)
        size = fields.divide(count_names[0], inner, heads, "number of heads")
    else:
        size = fields.size(*head_names, default=64)
        heads = fields.size(*count_names, default=inner // size)
    inner = heads * size
    groups = fields.size(f"{prefix}n_groups", "n_groups", default=8)
    state = fields.size(f"{prefix}d_state", "ssm_state_size", "state_size", default=128)
    kernel = fields.size(f"{prefix}d_conv", "conv_kernel", default=4)
    fields.divide(next(filter(fields.has, count_names), count_names[0]), heads, groups, "number of groups")
    bias = fields.flag(f"{prefix}proj_bias", default=fields.flag("use_bias"))
    convolution_bias = fields.flag(f"{prefix}conv_bias", default=fields.flag("use_conv_bias", default=True))
    channels = inner + 2 * groups * state
    before = (
        Projection("input", width, inner + channels + heads, bias),
        convolution("convolution", channels, kernel, convolution_bias),
    )
    products = StateProducts(heads, size, state, ("update", "result"))
    after = (Projection("output", inner, width, bias),)
    return Recurrence("state space", before, after, products, 3 * heads + inner, channels * (kernel - 1))


def mamba1(fields: Fields, width: int) -> Recurrence:
    """Return a Mamba mixer of the first kind (arXiv 2312.00752)."""
    inner = fields.size("intermediate_size", default=fields.size("expand", default=2) * width)
    state, kernel = fields.size("state_size", default=16), fields.size("conv_kernel", default=4)
    rank = -(-width // 16) if fields.values.get("time_step_rank", "auto") == "auto" else fields.size("time_step_rank")
    bias = fields.flag("use_bias")
    before = (
        Projection("input", width, 2 * inner, bias),
        convolution("convolution", inner, kernel, fields.flag("use_conv_bias", default=True)),
        Projection("selection", inner, rank + 2 * state),
        Projection("time_step", rank, inner, bias=True),
    )
    products = StateProducts(inner, 1, state, ("decay", "update", "result"))
    after = (Projection("output", inner, width, bias),)
    return Recurrence("state space", before, after, products, inner * (state + 1), inner * (kernel - 1))


def read_mamba1(fields: Fields, kind: str) -> Stack:
    """Return a decoder of Mamba layers of the first kind."""
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers", "n_layer")
    layer = Layer(mamba1(fields, width), None, width)
    tied = fields.flag("tie_word_embeddings", default=True)
    vocabulary = fields.size("vocab_size")
    words, head = Table("embedding", vocabulary, width, head=tied), Projection("head", width, vocabulary)
    return Stack("decoder", "decoder", width, (layer,) * count, 0, (words,), norm_elements=width, head=head)


def read_rwkv7(fields: Fields, kind: str) -> Stack:
    """Return a decoder of RWKV-7 (arXiv 2503.14456), in the fields of flash-linear-attention.

    The first layer has one normalisation more and takes its own values, so it has no map that mixes in those of the first.
    """
    width, count = fields.size("hidden_size"), fields.layers("num_hidden_layers")
    size = fields.size("head_dim", default=64)
    heads = fields.divide("hidden_size", width, size, "features of a head (head_dim)")
    norm = (1 + fields.flag("norm_bias", default=True)) * width
    hidden = fields.size("intermediate_size", default=int(width * fields.number("hidden_ratio", 4.0)))
    ranks = {name: fields.size(f"{name}_low_rank_dim", default=rank) for name, rank in _RWKV_RANKS.items()}
    maps = [Projection(name, width, width) for name in ("receptance", "key", "value")]
    for name, rank in ranks.items():
        maps += [Projection(f"{name}_down", width, rank), Projection(f"{name}_up", rank, width, bias=name != "gate")]
    # Mixing factors of six inputs, factors of keys (two), bonus, and the normalisation of the heads.
    vectors = 6 * width + 2 * width + width + 2 * width
    products = StateProducts(heads, size, size, ("read", "removal", "update", "result"))
    mixer = Recurrence("rwkv", tuple(maps), (Projection("output", width, width),), products, vectors, 2 * width)
    first = replace(mixer, before=tuple(each for each in maps if not each.name.startswith("v_")))
    feed_forward = FeedForward(hidden, gated=False, vectors=width)
    layers = [
        Layer(mixer if number else first, feed_forward, 2 * norm if number else 3 * norm) for number in range(count)
    ]
    vocabulary, tied = fields.size("vocab_size"), fields.flag("tie_word_embeddings")
    words, head = Table("embedding", vocabulary, width, head=tied), Projection("head", width, vocabulary)
    return Stack("decoder", "decoder", width, tuple(layers), 0, (words,), norm_elements=norm, head=head)


_RWKV_RANKS = {"decay": 64, "a": 64, "v": 16, "gate": 128}
