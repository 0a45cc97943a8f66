"""Reads GGUF files (`.gguf`) into language models. Runs in a child process with limits: files are not trusted.

Sizes come from the metadata and the shapes of tensors, as a configuration that `engines.workloads.language` reads; bits of weights
come from the block format of each tensor. Names of keys and tensors: gguf-py/gguf/constants.py of llama.cpp (MIT).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.workloads.importing.gguf.gguf_file import GgufHeader, GgufTensor, parse_gguf
from engines.workloads.importing.language_reader import read_configuration
from engines.workloads.language.reader import STORED_AS_GGUF

# `general.architecture` -> `model_type` of a configuration.
ARCHITECTURES: Mapping[str, str] = {
    **{each: each for each in ("llama", "qwen2", "qwen3", "gemma", "gemma2", "phi3", "smollm3", "olmo2", "granite", "starcoder2")},
    "gemma3": "gemma3_text", "qwen2moe": "qwen2_moe", "qwen3moe": "qwen3_moe",
}  # fmt: skip
# Key behind the architecture -> field of a configuration.
_FIELDS = {
    "block_count": "num_hidden_layers", "feed_forward_length": "intermediate_size", "context_length": "max_position_embeddings",
    "attention.head_count": "num_attention_heads", "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim", "attention.sliding_window": "sliding_window", "expert_used_count": "num_experts_per_tok",
    "expert_feed_forward_length": "moe_intermediate_size",
    "expert_shared_feed_forward_length": "shared_expert_intermediate_size",
}  # fmt: skip
# Name of a tensor without block and ending -> names of rows.
_ROWS = {
    "token_embd": ("embedding",), "output": ("head",), "attn_q": ("query",), "attn_k": ("key",), "attn_v": ("value",),
    "attn_qkv": ("query", "key", "value"), "attn_output": ("output",), "ffn_gate_inp": ("router",),
    **{f"ffn_{each}": (each,) for each in ("gate", "up", "down")},
    **{f"ffn_{each}_exps": (f"experts_{each}", f"experts_more_{each}") for each in ("gate", "up", "down")},
    **{f"ffn_{each}_shexp": (f"shared_{each}",) for each in ("gate", "up", "down")},
}  # fmt: skip
_TABLE, _HEAD = "token_embd.weight", "output.weight"
_TOLERANCE = 0.01  # of weights that a description may leave out without a note


def read_gguf(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the prefill of a language model, and its decode step as `further`, with the bits of the file.

    Args:
        data: the file, or its beginning with the header.
        name: its name.
        options: `name`, title of the network; `dims` with `prompt`, `cached` and `batch`.

    Raises:
        ProblemError: the header is damaged, the architecture is not known, or as `read_configuration`.
    """
    if options.get("exclude"):
        raise ProblemError("exclude", options["exclude"], "left out", reason=f"The file {name} has no operators.")
    header = parse_gguf(data, name)
    configuration = _configuration(header, name)
    read = read_configuration(configuration, name, str(options.get("name") or ""), options.get("dims"))
    further = read.report["further"]
    bits = _bits_of_rows(header.tensors)
    for document in (read.content, *further):
        for row in document["operations"]:
            if row.get("weight_elements") and row["kind"] != "norm":
                row["weight_bits"] = bits.get(row["name"], configuration["quantization_config"]["bits"])
    notes = [*read.report["notes"], *_notes(header, read.report["parameters"])]
    return ReadDocument(
        read.content, report={**read.report, "format": f"GGUF ({read.report['format']})", "notes": notes}
    )


def _configuration(header: GgufHeader, name: str) -> dict[str, Any]:
    """Return the fields of a configuration, as far as the file has them."""
    values, tensors = header.values, header.tensors
    kind = values.get("general.architecture")
    if not isinstance(kind, str) or kind not in ARCHITECTURES:
        ways = ["Give the config.json of the model, and the bits with --bits."]
        raise ProblemError("general.architecture", kind, f"one of: {', '.join(ARCHITECTURES)}", remedies=ways)
    if values.get("split.count", 1) != 1:
        ways = ["Merge the files (llama-gguf-split --merge)."]
        reason = "The file holds a part of the model."
        raise ProblemError("split.count", values["split.count"], "1", reason=reason, remedies=ways)
    table = tensors.get(_TABLE)
    if table is None or len(table.shape) != 2:
        raise ProblemError("file", name, f"a GGUF file with the table of words ({_TABLE})")
    found = {
        field: _uniform(f"{kind}.{key}", values[f"{kind}.{key}"])
        for key, field in _FIELDS.items()
        if values.get(f"{kind}.{key}") is not None
    }
    experts = values.get(f"{kind}.expert_count") or 0
    return {
        "model_type": "mixtral" if experts and kind == "llama" else ARCHITECTURES[kind],
        **found,
        "hidden_size": table.shape[0],
        "vocab_size": table.shape[1],
        "tie_word_embeddings": _HEAD not in tensors,
        "attention_bias": "blk.0.attn_q.bias" in tensors,
        "mlp_bias": "blk.0.ffn_up.bias" in tensors,
        **({"num_experts" if kind != "llama" else "num_local_experts": experts} if experts else {}),
        "quantization_config": {"quant_method": STORED_AS_GGUF, "bits": _mean_bits(tensors.values())},
    }


def _uniform(key: str, value: Any) -> Any:
    """Return the value that all layers share; a list has one per layer."""
    if not isinstance(value, list):
        return value
    if len(set(map(str, value))) != 1:
        raise ProblemError(key, value, "the same for all layers")
    return value[0]


def _mean_bits(tensors: Any) -> float:
    listed: list[GgufTensor] = list(tensors)
    stored = sum(each.elements * each.bits for each in listed)
    return round(stored / sum(each.elements for each in listed), 4)


def _bits_of_rows(tensors: Mapping[str, GgufTensor]) -> dict[str, float]:
    """Return name of a row -> bits of its weights."""
    found: dict[str, float] = {}
    for name, tensor in tensors.items():
        stem = name.removesuffix(".weight")
        block, number = "", stem.split(".")
        if len(number) == 3 and number[0] == "blk":
            block, stem = f"layer{number[1]}.", number[2]
        found |= {f"{block}{row}": tensor.bits for row in _ROWS.get(stem, ())}
    return {"head": tensors[_TABLE].bits, **found}


def _notes(header: GgufHeader, parameters: int) -> list[str]:
    counts = Counter(each.format for each in header.tensors.values())
    stored = sum(each.elements for each in header.tensors.values())
    formats = ", ".join(f"{name} × {count}" for name, count in counts.most_common())
    bits = _mean_bits(header.tensors.values())
    notes = [
        f"The file has {many(len(header.tensors), 'tensor')}: {formats}. A weight takes {bits:.2f} bits on average."
    ]
    if abs(stored - parameters) > _TOLERANCE * stored:
        notes.append(f"The file has {stored:,} weights; its metadata describe {parameters:,}. Check what is left out.")
    return notes
