"""A small writer of GGUF headers, and a model in one."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

F32, F16, Q4_0, Q8_0, Q4_K, Q6_K = 0, 1, 2, 8, 12, 14
_NUMBERS = {"u32": (4, "<I"), "f32": (6, "<f"), "bool": (7, "<B"), "u64": (10, "<Q")}


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value(content: Any) -> bytes:
    """A value of metadata with its type: texts, flags, whole numbers, floats and lists of them."""
    if isinstance(content, str):
        return struct.pack("<I", 8) + text(content)
    if isinstance(content, list):
        items = [value(each) for each in content]
        kind = items[0][:4] if items else struct.pack("<I", 4)
        return struct.pack("<I", 9) + kind + struct.pack("<Q", len(items)) + b"".join(each[4:] for each in items)
    name = "bool" if isinstance(content, bool) else "f32" if isinstance(content, float) else "u32"
    kind, form = _NUMBERS[name]
    return struct.pack("<I", kind) + struct.pack(form, content)


def header(values: Mapping[str, Any], tensors: Mapping[str, tuple[Sequence[int], int]], version: int = 3) -> bytes:
    """The bytes of a header: key -> value, name -> (shape, number of the format)."""
    parts = [b"GGUF", struct.pack("<IQQ", version, len(tensors), len(values))]
    parts += [text(key) + value(content) for key, content in values.items()]
    for name, (shape, kind) in tensors.items():
        parts.append(text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape))
        parts.append(struct.pack("<IQ", kind, 0))
    return b"".join(parts)


WIDTH, HIDDEN, HEADS, CACHE_HEADS, WORDS, BLOCKS = 256, 512, 4, 2, 1000, 2
VALUES: Mapping[str, Any] = {
    "general.architecture": "llama", "general.name": "Small", "llama.block_count": BLOCKS, "llama.context_length": 4096,
    "llama.embedding_length": WIDTH, "llama.feed_forward_length": HIDDEN, "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": CACHE_HEADS, "llama.rope.freq_base": 10000.0, "general.tags": ["a", "b"],
    "tokenizer.ggml.tokens": [f"w{number}" for number in range(1200)], "tokenizer.ggml.scores": [0.5] * 1200,
    "tokenizer.ggml.add_bos_token": True,
}  # fmt: skip


def model_tensors() -> dict[str, tuple[Sequence[int], int]]:
    """The tensors of a model in Q4_K, with Q6_K where llama.cpp puts it."""
    cache = WIDTH // HEADS * CACHE_HEADS
    found: dict[str, tuple[Sequence[int], int]] = {
        "token_embd.weight": ((WIDTH, WORDS), Q6_K),
        "output_norm.weight": ((WIDTH,), F32),
    }
    for number in range(BLOCKS):
        maps = {
            "attn_q": (WIDTH, WIDTH), "attn_k": (WIDTH, cache), "attn_v": (WIDTH, cache), "attn_output": (WIDTH, WIDTH),
            "ffn_gate": (WIDTH, HIDDEN), "ffn_up": (WIDTH, HIDDEN), "ffn_down": (HIDDEN, WIDTH),
        }  # fmt: skip
        for name, shape in maps.items():
            found[f"blk.{number}.{name}.weight"] = (shape, Q6_K if name in ("attn_v", "ffn_down") else Q4_K)
        found |= {f"blk.{number}.{name}.weight": ((WIDTH,), F32) for name in ("attn_norm", "ffn_norm")}
    return found


def model_header(**changes: Any) -> bytes:
    """A small model; `changes` are values of metadata, with dots for double underscores."""
    return header({**VALUES, **{key.replace("__", "."): each for key, each in changes.items()}}, model_tensors())
