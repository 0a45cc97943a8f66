"""Stages of a model as networks: prefill of a prompt, one decode step, and the actions of an expert.

The rows are those of a `network/1` document, in the way the built-in networks have them: one per projection, product of attention,
normalisation, activation and lookup. Attention is causal to the pair (`attended.products`). The head runs for the last token alone.
Experts are grouped: a token passes `per_token` of them, and the weights of those that no token passes are never read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engines.contract.errors import ProblemError
from engines.workloads.language.attended import products
from engines.workloads.language.mixers import Attention, LatentAttention, Mixer, Recurrence
from engines.workloads.language.model import Experts, FeedForward, LanguageModel, Layer, Stack
from engines.workloads.language.weights import Projection, Table, total_elements
from engines.workloads.network import INPUT, Network
from engines.workloads.network_document import read_network
from engines.workloads.operations import MAX_MACS
from engines.workloads.schema import NETWORK_SCHEMA
from hardware.slugs import slug_of

MAX_TOKENS = 10**7
MAX_BATCH = 4096
_MAX_CHUNKS = 100
ExpertChoice = Literal["expected", "worst"]
Row = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """The tokens of one pass through a stage.

    Attributes:
        tokens: new tokens per sequence.
        context: tokens per sequence that the cache holds before.
        batch: sequences.
        experts: whether as many distinct experts are read as expected, or as many as possible.
        decodes: whether this is a decode step: latents stay compressed, and keys of encoders are cached already.
        weight_bits: bits of each weight of a map; 0: not stated.
        cache_bits: bits of keys and values; 0: not stated.
    """

    tokens: int
    context: int = 0
    batch: int = 1
    experts: ExpertChoice = "expected"
    decodes: bool = False
    weight_bits: float = 0.0
    cache_bits: float = 0.0

    @property
    def rows(self) -> int:
        """New tokens of all sequences."""
        return self.tokens * self.batch


def prefill_network(
    model: LanguageModel,
    prompt_tokens: int,
    batch: int = 1,
    context: int = 0,
    *,
    experts: ExpertChoice = "expected",
    weight_bits: float = 0.0,
    cache_bits: float = 0.0,
) -> Network:
    """Return the network that reads a prompt, with the encoders of the model, each for one image or sound per sequence.

    Args:
        model: the model; an encoder alone runs for its own tokens.
        prompt_tokens: tokens per sequence, those of images among them.
        batch: sequences.
        context: tokens per sequence in the cache before.
        experts: number of distinct experts that are read.
        weight_bits: bits of a weight; 0: those of the device.
        cache_bits: bits of keys and values; 0: those of the device.

    Raises:
        ProblemError: tokens or batch outside of the accepted range, or a product beyond 10^13 multiply-accumulates.
    """
    return read_network(
        prefill_document(model, Step(prompt_tokens, context, batch, experts, False, weight_bits, cache_bits))
    )


def decode_network(
    model: LanguageModel,
    cached_tokens: int,
    batch: int = 1,
    *,
    experts: ExpertChoice = "expected",
    weight_bits: float = 0.0,
    cache_bits: float = 0.0,
) -> Network:
    """Return the network of one new token per sequence, which sees itself and `cached_tokens` tokens.

    Arguments as `prefill_network`.

    Raises:
        ProblemError: as `prefill_network`, or for a model without a decoder.
    """
    return read_network(decode_document(model, Step(1, cached_tokens, batch, experts, True, weight_bits, cache_bits)))


def action_network(model: LanguageModel, action_tokens: int = 50, context: int = 0, batch: int = 1) -> Network:
    """Return one pass of the action expert, with the maps around it, over a chunk of actions.

    Args:
        model: with an action expert.
        action_tokens: actions of a chunk.
        context: tokens of images and prompt that the expert reads.
        batch: sequences.

    Raises:
        ProblemError: as `prefill_network`, or for a model without an action expert.
    """
    return read_network(action_document(model, Step(action_tokens, context, batch)))


def action_document(model: LanguageModel, step: Step) -> Row:
    """Return the `network/1` document of `action_network`."""
    stages = _after_decoder(model)
    if not stages:
        raise ProblemError("model", model.name, "a model with an action expert (a stage without a vocabulary)")
    return _document(model, "actions", stages, _checked(step))


def prefill_document(model: LanguageModel, step: Step) -> Row:
    """Return the `network/1` document of `prefill_network`."""
    late = _after_decoder(model)
    stages = [stage for stage in model.stages if stage not in late]
    ordered = sorted(stages, key=lambda stage: stage.kind == "decoder")
    return _document(model, f"prefill {step.tokens}", ordered, _checked(step))


def decode_document(model: LanguageModel, step: Step) -> Row:
    """Return the `network/1` document of `decode_network`."""
    decoder = model.decoder
    if decoder is None:
        raise ProblemError("model", model.name, "a model with a decoder", reason="An encoder has no decode step.")
    return _document(model, f"decode after {step.context}", [decoder], _checked(step))


def distinct_experts(part: Experts, tokens: int, choice: ExpertChoice) -> int:
    """Return the number of experts that `tokens` tokens read: the expected one, rounded up, or the largest possible one."""
    if choice == "worst":
        return part.most_distinct(tokens)
    return min(part.most_distinct(tokens), math.ceil(part.distinct(tokens) - 1e-9))


def _after_decoder(model: LanguageModel) -> tuple[Stack, ...]:
    """Return the action expert and what follows it."""
    first = next((n for n, stage in enumerate(model.stages) if stage.kind == "action head"), len(model.stages))
    return model.stages[first:]


def _checked(step: Step) -> Step:
    for name, value, least, most in (
        ("tokens", step.tokens, 1, MAX_TOKENS), ("context", step.context, 0, MAX_TOKENS), ("batch", step.batch, 1, MAX_BATCH)
    ):  # fmt: skip
        if type(value) is not int or not least <= value <= most:
            raise ProblemError(name, value, f"a whole number from {least:,} to {most:,}")
    return step


def _document(model: LanguageModel, pass_name: str, stages: Sequence[Stack], step: Step) -> Row:
    rows = _Rows(step)
    for stage in stages:
        _stage(rows, stage, len(stages) > 1)
    title = f"{model.name}, {pass_name}" + (f", batch {step.batch}" if step.batch > 1 else "")
    short = " ".join(model.name.split())[:12].strip() or "Model"
    return {
        "schema": NETWORK_SCHEMA, "slug": slug_of(title, "model"), "title": title[:200], "short_title": short,
        "summary": " ".join(model.notes)[:1900], "source": f"configuration of {model.name} ({model.architecture})"[:200],
        "operations": rows.rows,
    }  # fmt: skip


class _Rows:
    """The rows so far; `prefix` stands before their names, `block` before those of weights that other layers have as well."""

    def __init__(self, step: Step) -> None:
        self.step, self.rows, self.prefix, self.block = step, list[Row](), "", ""

    @property
    def last(self) -> int:
        return len(self.rows) - 1

    def put(self, name: str, kind: str, reads: Sequence[int] = (), **figures: Any) -> int:
        """Add a row that reads the results of others, by default of the row before; return its number."""
        sources = sorted(set(reads)) or [self.last]
        row = {"name": f"{self.prefix}{name}", "kind": kind, **figures}
        if sources != [self.last] or not self.rows:
            row["reads"] = [] if sources == [INPUT] else sources
        if self.step.weight_bits and row.get("weight_elements") and kind != "norm":
            row["weight_bits"] = self.step.weight_bits
        if self.block and row.get("weight_elements"):
            row["shared_weights"] = {f"{self.block}{name}": row["weight_elements"]}
        if self.step.cache_bits and kind == "matmul":
            row["activation_bits"] = self.step.cache_bits
        self.rows.append(row)
        return self.last

    def project(self, each: Projection, rows: int, reads: Sequence[int] = (), shared: str = "") -> int:
        """Add a map of `rows` rows in all."""
        if each.macs_per_row * rows > MAX_MACS:
            ways = ["Read the prompt in chunks, with the chunks before as context."]
            got = f"{self.step.rows:,} in all"
            raise ProblemError(
                "tokens",
                got,
                f"a number of tokens for which {each.name} has at most {MAX_MACS:.0e} products",
                remedies=ways,
            )
        figures: Row = {"k": each.outputs, "c": each.inputs, "y": rows, "weight_elements": each.elements}
        if shared:
            figures["shared_weights"] = {shared: each.macs_per_row}
        if each.kernel == each.groups == 1:
            return self.put(each.name, "gemm", reads, **figures)
        before = each.kernel - 1
        figures |= {"r": each.kernel, "pad": [before, 0, 0, 0], "groups": each.groups}
        depthwise = each.groups == each.inputs == each.outputs
        return self.put(each.name, "depthwise" if depthwise else "conv", reads, **figures)

    def moved(
        self, name: str, kind: str, elements: int, reads: Sequence[int] = (), *, read: int = 0, weights: int = 0
    ) -> int:
        """Add an operator without products that writes `elements` and reads as many, or `read`."""
        figures = {"input_elements": read or elements, "output_elements": elements, "weight_elements": weights}
        return self.put(name, kind, reads, **figures)

    def unread(self, name: str, elements: int, source: int) -> None:
        """Add weights that this pass does not read."""
        if elements:
            self.put(name, "embedding", [source], weight_elements=elements)


def _stage(rows: _Rows, stage: Stack, several: bool) -> None:
    """Add the rows of a stage: tables, entry, layers, normalisation, exit, head."""
    step, prefix = rows.step, f"{stage.name}." if several else ""
    tokens = stage.tokens or step.tokens
    total = tokens * step.batch
    rows.prefix = prefix
    after = rows.last
    for each in stage.entry if stage.kind != "decoder" else ():
        rows.project(each, each.rows(tokens) * step.batch, [after] if each.inputs == stage.width else [])
    for table in stage.tables:
        _look_up(rows, table, total, f"{prefix}{table.name}")
    for each in stage.entry if stage.kind == "decoder" else ():
        rows.project(each, each.rows(tokens) * step.batch)
    for number, layer in enumerate(stage.layers):
        rows.prefix = f"{prefix}layer{number}."
        rows.block = f"{prefix}{layer.block}." if layer.block else ""
        _layer(rows, layer, stage.width, tokens)
    rows.prefix = prefix
    if stage.norm_elements:
        rows.moved("norm", "norm", total * stage.width, weights=stage.norm_elements)
    for each in stage.exit:
        rows.project(each, each.rows(tokens) * step.batch)
    if stage.head:
        words = next((table for table in stage.tables if table.head), None)
        rows.project(stage.head, step.batch, shared=f"{prefix}{words.name}" if words else "")


def _look_up(rows: _Rows, table: Table, total: int, key: str) -> None:
    shared: Row = {"shared_weights": {key: table.elements}} if table.head else {}
    rows.put(
        table.name, "embedding", [INPUT] if rows.last < 0 else (), weight_elements=table.elements,
        input_elements=total * table.width, output_elements=total * table.width, **shared,
    )  # fmt: skip


def _layer(rows: _Rows, layer: Layer, width: int, tokens: int) -> None:
    entry, total = rows.last, tokens * rows.step.batch
    parts = [(mixer, part) for mixer, part in ((layer.mixer, ""), (layer.cross_attention, "cross_")) if mixer]
    blocks = len(parts) + (layer.feed_forward is not None)
    share = layer.norm_elements // max(1, blocks)
    norms = [layer.norm_elements - share * (blocks - 1)] + [share] * (blocks - 1)
    for mixer, part in parts:
        source = rows.moved(f"{part}norm", "norm", total * width, weights=norms.pop(0))
        results = [_mixer(rows, mixer, width, tokens, part, source), entry]
        if layer.parallel and not part:
            results.append(_mixer(rows, layer.parallel, width, tokens, part, source))
        entry = rows.moved(f"{part}add", "eltwise", total * width, results, read=len(results) * total * width)
    if layer.feed_forward:
        source = rows.moved("feed_forward_norm", "norm", total * width, weights=norms.pop(0))
        if isinstance(layer.feed_forward, Experts):
            _experts(rows, layer.feed_forward, width, total, source)
        else:
            _feed_forward(rows, layer.feed_forward, width, total, source)
        entry = rows.moved("feed_forward_add", "eltwise", total * width, [rows.last, entry], read=2 * total * width)
    rows.block = ""
    for each in layer.extras:
        rows.project(each, each.rows(tokens) * rows.step.batch)
    if layer.extras:
        rows.moved("extras_add", "eltwise", total * width, [rows.last, entry], read=2 * total * width)


def _mixer(rows: _Rows, mixer: Mixer, width: int, tokens: int, part: str, source: int) -> int:
    """Add the rows of a mixer that reads the row `source`; return the last."""
    if isinstance(mixer, Attention):
        _attention(rows, mixer, width, tokens, part, source)
    elif isinstance(mixer, LatentAttention):
        _latent_attention(rows, mixer, width, tokens, source)
    else:
        _recurrence(rows, mixer, width, tokens, source)
    return rows.last


def _attention(rows: _Rows, mixer: Attention, width: int, tokens: int, part: str, source: int) -> None:
    step = rows.step
    batch, total = step.batch, tokens * step.batch
    operands = [rows.project(_named(each, part), total, [source]) for each in mixer.query_weights(width)]
    for each in mixer.source_weights(width):
        if not mixer.source_tokens:
            operands.append(rows.project(each, total, [source]))
        elif not step.decodes:
            operands.append(rows.project(_named(each, part), mixer.source_tokens * batch, [source]))
        else:
            rows.unread(f"{part}{each.name}", each.elements, source)
    vectors = mixer.vector_elements(width) - mixer.unused_elements
    if vectors:
        operands = [
            rows.moved("query_key_norm", "norm", total * mixer.heads * mixer.head_size, operands, weights=vectors)
        ]
    rows.unread("unused_key_value", mixer.unused_elements, source)
    shape = mixer.heads // mixer.cache_heads, mixer.cache_heads * batch
    _attend(rows, part, operands, _pairs(mixer, tokens, step), shape, mixer.head_size, mixer.value_size)
    if mixer.output_gate:
        size = total * mixer.heads * mixer.value_size
        rows.moved("gate", "eltwise", size, [rows.last, *operands], read=2 * size)
    for each in mixer.output_weights(width):
        rows.project(_named(each, part), total)


def _pairs(mixer: Attention, tokens: int, step: Step) -> list[tuple[int, int]]:
    """Return (queries, keys) of the products of one head and sequence."""
    if mixer.source_tokens:
        return [(tokens, mixer.source_tokens)]
    if not mixer.causal:
        return [(tokens, min(tokens, mixer.window_tokens or tokens))]
    # An encoder of text is causal too, but never has a cache before it.
    before = step.context if tokens == step.tokens else 0
    return products(tokens, before, mixer.window_tokens, chunked=mixer.chunked)


def _attend(
    rows: _Rows,
    part: str,
    operands: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    shape: tuple[int, int],
    key: int,
    value: int,
) -> None:
    """Add scores, softmax and sum of values. `shape`: queries of each key, and independent products; features of key and value."""
    queries_each, repeats = shape
    most = MAX_MACS // (max(key, value) * queries_each * repeats)
    pairs = [part for queries, keys in pairs for part in _chunks(queries, keys, most)]
    scores = [
        rows.put(f"{part}scores{n or ''}", "matmul", operands, k=keys, c=key, y=queries * queries_each, repeats=repeats)
        for n, (queries, keys) in enumerate(pairs)
    ]
    rows.moved(
        f"{part}softmax", "softmax", sum(queries * keys for queries, keys in pairs) * queries_each * repeats, scores
    )
    weights = [rows.last, *operands]
    sums = [
        rows.put(
            f"{part}values{n or ''}", "matmul", weights, k=value, c=keys, y=queries * queries_each, repeats=repeats
        )
        for n, (queries, keys) in enumerate(pairs)
    ]
    if len(sums) > 1:
        rows.put(f"{part}sum", "concat", sums)


def _chunks(queries: int, keys: int, most: int) -> list[tuple[int, int]]:
    """Return the same product in parts of at most `most` pairs each, as kernels cut it as well."""
    size = max(1, min(queries, most // keys))
    if queries > size * _MAX_CHUNKS:
        raise ProblemError(
            "tokens",
            f"{queries:,}",
            f"a number of tokens for which attention has at most {_MAX_CHUNKS * MAX_MACS:.0e} products",
        )
    return [(min(size, queries - start), keys) for start in range(0, queries, size)]


def _named(each: Projection, part: str) -> Projection:
    return Projection(**{**vars(each), "name": f"{part}{each.name}"}) if part else each


def _latent_attention(rows: _Rows, mixer: LatentAttention, width: int, tokens: int, source: int) -> None:
    step = rows.step
    total, batch = tokens * step.batch, step.batch
    *queries, latent = mixer.query_weights(width)
    for number, each in enumerate(queries):
        rows.project(each, total, [source] if not number else [])
    query = rows.last
    cached = rows.project(latent, total, [source])
    cached = rows.moved("latent_norm", "norm", total * (mixer.latent_size + mixer.rotated_size), [cached],
                        weights=mixer.vector_elements(width))  # fmt: skip
    pairs = products(tokens, step.context, mixer.window_tokens)
    if step.decodes:
        query = rows.project(mixer.absorbed_query(), total, [query])
        key = mixer.latent_size + mixer.rotated_size
        _attend(rows, "", [query, cached], pairs, (mixer.heads, batch), key, mixer.latent_size)
        rows.project(mixer.absorbed_value(), total)
    else:
        expanded = [rows.project(each, (step.context + tokens) * batch, [cached]) for each in mixer.expansion()]
        key = mixer.key_size + mixer.rotated_size
        _attend(rows, "", [query, *expanded], pairs, (1, mixer.heads * batch), key, mixer.value_size)
    for each in mixer.output_weights(width):
        rows.project(each, total)


def _recurrence(rows: _Rows, mixer: Recurrence, width: int, tokens: int, source: int) -> None:
    step = rows.step
    total = tokens * step.batch
    made: list[int] = []
    for each in mixer.before:
        made.append(rows.project(each, total, [source] if each.inputs == width and each.groups == 1 else made[-1:]))
    rows.moved("state", "eltwise", mixer.state_elements * step.batch, made)
    if mixer.products:
        state = mixer.products
        for name in state.names:
            repeats = state.heads * step.batch
            rows.put(f"state_{name}", "matmul", k=state.columns, c=state.rows, y=tokens, repeats=repeats)
    if mixer.vectors:
        rows.moved("vectors", "norm", total * mixer.after[0].inputs, weights=mixer.vectors)
    for each in mixer.after:
        rows.project(each, total)


def _feed_forward(rows: _Rows, part: FeedForward, width: int, total: int, source: int) -> None:
    *maps, down = part.projections(width)
    hidden = [rows.project(each, total, [source]) for each in maps]
    rows.moved(
        "activation", "eltwise", total * part.hidden, hidden, read=len(maps) * total * part.hidden, weights=part.vectors
    )
    rows.project(down, total)


def _experts(rows: _Rows, part: Experts, width: int, total: int, source: int) -> None:
    """Add router, shared part and the experts that tokens pass, in one or two groups of equal numbers of tokens."""
    router, *shared = part.projections(width)
    scores = rows.project(router, total, [source])
    choice = rows.moved(
        "choice", "topk", total * part.per_token, [scores], read=total * part.count, weights=part.vectors
    )
    results = []
    if part.shared:
        *maps, down = [each for each in shared if each.name != "shared_gate"]
        hidden = [rows.project(each, total, [source]) for each in maps]
        rows.moved("shared_activation", "eltwise", total * part.shared_hidden, hidden)
        results.append(rows.project(down, total))
        results += [rows.project(each, total, [source]) for each in shared if each.name == "shared_gate"]
    distinct = distinct_experts(part, total, rows.step.experts)
    each_rows, more = divmod(total * part.per_token, distinct)
    for count, passed, name in ((more, each_rows + 1, "experts_more"), (distinct - more, each_rows, "experts")):
        if count:
            results.append(_expert_group(rows, part, width, (count, passed, name), (source, choice)))
    rows.unread("unread_experts", (part.count - distinct) * total_elements(part.expert.projections(width)), source)
    rows.moved(
        "experts_sum", "eltwise", total * width, results, read=(part.per_token + bool(part.shared)) * total * width
    )


def _expert_group(rows: _Rows, part: Experts, width: int, group: tuple[int, int, str], reads: tuple[int, int]) -> int:
    """Add `count` experts of `passed` tokens each; return the row of their results."""
    count, passed, name = group
    *maps, down = part.expert.projections(width)
    hidden = [_grouped(rows, each, count, passed, name, reads) for each in maps]
    rows.moved(f"{name}_activation", "eltwise", count * passed * part.hidden, hidden)
    return _grouped(rows, down, count, passed, name, ())


def _grouped(rows: _Rows, each: Projection, count: int, passed: int, name: str, reads: Sequence[int]) -> int:
    figures = {"k": count * each.outputs, "c": count * each.inputs, "y": passed, "groups": count}
    return rows.put(f"{name}_{each.name}", "conv", reads, weight_elements=count * each.elements, **figures)
