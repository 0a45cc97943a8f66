"""Layers of a binary network in C: words of bits, of which those of one sample lie together.

A bit is 1 for +1 and 0 for -1. The sum of n products is n - 2 x (bits that differ); a padded sample adds nothing. Windows are whole
numbers of 1/256, so that sums and thresholds are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.methods.eexnas.architecture import BITS, SizedNetwork, words_of
from engines.methods.eexnas.binary_network import LARGEST, SCALE, Bits

Words = npt.NDArray[np.uint32]
LAYERS = """
static int ones(uint32_t word)
{
    word = word - ((word >> 1) & 0x55555555u);
    word = (word & 0x33333333u) + ((word >> 2) & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return (int)((word * 0x01010101u) >> 24);
}

/* Sum of `bits` products of +1 and -1: both words have 0 behind them. */
static int product(uint32_t one, uint32_t other, int bits)
{
    return bits - 2 * ones(one ^ other);
}

static void conv_window(int channels, int length, const uint16_t *weight, const int32_t *offset, int filters, int kernel,
                        int stride, uint32_t *out, int out_length)
{
    for (int t = 0; t < out_length; t++) {
        uint32_t word = 0;
        for (int f = 0; f < filters; f++) {
            int32_t sum = offset[f];
            for (int c = 0; c < channels; c++) {
                for (int k = 0; k < kernel; k++) {
                    int at = t * stride + k - kernel / 2;
                    if (at >= 0 && at < length) {
                        int value = samples[c * length + at];
                        sum += (weight[f * channels + c] >> k) & 1 ? value : -value;
                    }
                }
            }
            word |= (uint32_t)(sum >= 0) << f;
        }
        out[t] = word;
    }
}

static inline void conv(const uint32_t *in, int channels, int length, const uint32_t *weight, const int32_t *offset, int filters,
                        int kernel, int stride, uint32_t *out, int out_length)
{
    for (int t = 0; t < out_length; t++) {
        uint32_t word = 0;
        for (int f = 0; f < filters; f++) {
            int32_t sum = offset[f];
            for (int k = 0; k < kernel; k++) {
                int at = t * stride + k - kernel / 2;
                if (at >= 0 && at < length) {
                    sum += product(in[at], weight[f * kernel + k], channels);
                }
            }
            word |= (uint32_t)(sum >= 0) << f;
        }
        out[t] = word;
    }
}

static inline void pool(const uint32_t *in, int window, int stride, uint32_t *out, int out_length)
{
    for (int t = 0; t < out_length; t++) {
        uint32_t any = in[t * stride];
        for (int k = 1; k < window; k++) {
            any |= in[t * stride + k];
        }
        out[t] = any;
    }
}

static inline void hidden(const uint32_t *in, int words, int bits, const uint32_t *weight, const int32_t *offset, int width,
                          uint32_t *out)
{
    memset(out, 0, sizeof(uint32_t) * (size_t)((width + 31) / 32));
    for (int o = 0; o < width; o++) {
        int different = 0;
        for (int i = 0; i < words; i++) {
            different += ones(in[i] ^ weight[o * words + i]);
        }
        out[o / 32] |= (uint32_t)(offset[o] + bits - 2 * different >= 0) << (o % 32);
    }
}

static void last(const uint32_t *in, int words, int bits, const uint32_t *weight, const float *scale, const float *bias)
{
    for (int o = 0; o < CLASSES; o++) {
        int different = 0;
        for (int i = 0; i < words; i++) {
            different += ones(in[i] ^ weight[o * words + i]);
        }
        outputs[o] = (float)(bits - 2 * different) * scale[o];
        outputs[o] += bias[o];
    }
}

static void leave(const uint32_t *in, int channels, int length)
{
    uint32_t any = 0;
    for (int t = 0; t < length; t++) {
        any |= in[t];
    }
    last(&any, 1, channels, exit_weight, exit_scale, exit_bias);
}
"""
BEGIN = f"""\
    for (int i = 0; i < CHANNELS * SAMPLES; i++) {{
        float value = rintf(scaled(window[i], i / SAMPLES) * {SCALE}f);
        samples[i] = (int16_t)(value < -{LARGEST}f ? -{LARGEST}f : value > {LARGEST}f ? {LARGEST}f : value);
    }}
"""


def arrays_of(
    laid: SizedNetwork, weights: Mapping[str, FloatArray]
) -> Iterator[tuple[str, str, npt.NDArray[np.generic]]]:
    """Yield type, name and values of every array."""
    channels = laid.layers[0].shape_in[0]
    for block, each in enumerate(laid.architecture.blocks):
        weight, name = weights[f"blocks.{block}.0.weight"], f"blocks_{block}"
        if block == 0:
            bits = (weight >= 0).reshape(each.filters * channels, each.kernel)
            yield "uint16_t", f"{name}_weight", (bits << np.arange(each.kernel)).sum(axis=1).astype(np.uint16)
        else:
            yield "uint32_t", f"{name}_weight", packed(weight.transpose(0, 2, 1))
        yield "int32_t", f"{name}_offset", _offsets(weight, weights[f"blocks.{block}.0.bias"], block == 0)
        channels = each.filters
    shape = next(layer.shape_in for layer in laid.layers if layer.kind == "linear")
    if laid.architecture.hidden:
        weight = weights["hidden.weight"]
        yield "uint32_t", "hidden_weight", packed(weight.reshape(-1, *shape).transpose(0, 2, 1))
        yield "int32_t", "hidden_offset", _offsets(weight, weights["hidden.bias"], False)
        shape = (laid.architecture.hidden, 1)
    yield "uint32_t", "output_weight", packed(weights["output.weight"].reshape(-1, *shape).transpose(0, 2, 1))
    yield "uint32_t", "exit_weight", packed(weights["exit.weight"][:, None])
    for end in ("output", "exit"):
        yield "float", f"{end}_scale", weights[f"{end}.scale"]
        yield "float", f"{end}_bias", weights[f"{end}.bias"]


def packed(weight: FloatArray) -> Words:
    """Return the signs of weights `outputs x samples x channels` as words, flat: 1 for not negative, channel c at bit c."""
    bits = np.asarray(weight >= 0)
    missing = -bits.shape[-1] % BITS
    whole = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, missing)]).reshape(-1, BITS)
    return np.asarray((whole.astype(np.uint64) << np.arange(BITS, dtype=np.uint64)).sum(axis=1).astype(np.uint32))


def calls_of(laid: SizedNetwork, arena: int) -> Iterator[tuple[str, str]]:
    """Yield the call of each layer, and where its output lies, from one end of the arena to the other."""
    block, source, at_end = 0, "arena", True
    for layer in laid.layers:
        (channels, length), (width, out_length) = layer.shape_in, layer.shape_out
        target = f"arena + {arena - words_of(layer.shape_out)}" if at_end else "arena"
        if layer.kind == "conv":
            each, name = laid.architecture.blocks[block], f"blocks_{block}"
            first = "conv_window(" if block == 0 else f"conv({source}, "
            sizes = f"{channels}, {length}, {name}_weight, {name}_offset, {width}, {each.kernel}, {each.stride}"
            yield f"{first}{sizes}, {target}, {out_length});", target
            block += 1
        elif layer.kind == "pool":
            each = laid.architecture.blocks[block - 1]
            yield f"pool({source}, {each.pool}, {each.pool_stride}, {target}, {out_length});", target
        else:
            sizes = f"{source}, {words_of(layer.shape_in)}, {channels * length}"
            if layer.title == "Output":
                yield f"last({sizes}, output_weight, output_scale, output_bias);", ""
            else:
                yield f"hidden({sizes}, hidden_weight, hidden_offset, {width}, {target});", target
        source, at_end = target, not at_end


def _offsets(weight: FloatArray, bias: FloatArray, window: bool) -> npt.NDArray[np.int32]:
    import torch

    layer = Bits(weight.shape, None, SCALE if window else 1.0)
    with torch.no_grad():
        layer.bias.copy_(torch.from_numpy(np.array(bias, dtype=np.float32)))
    return np.asarray(layer.offsets().numpy().astype(np.int32))
