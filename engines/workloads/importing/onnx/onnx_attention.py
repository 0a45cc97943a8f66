"""Sizes of attention operators as their runtimes take them: caches, shared buffers, windows, joined queries, keys and values.

Definitions: https://onnx.ai/onnx/operators/onnx__Attention.html; microsoft/onnxruntime, docs/ContribOperators.md, and the checks of
its version 1.32 (contrib_ops/cpu/bert, core/providers/cpu/llm).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engines.workloads.importing.graph import ContradictionError, Node, UnknownSizeError, shape_of
from engines.workloads.importing.rows import Row, attention_rows

DOMAIN = "com.microsoft"
Shape = tuple[int, ...]


@dataclass(frozen=True)
class AttentionSizes:
    """The sizes of one attention operator.

    Attributes:
        batch: samples.
        heads: number of query heads.
        key_heads: number of key and value heads; groups of queries share one.
        queries: positions of queries.
        keys: positions that each query is multiplied with.
        cache: positions in the cache that the operator gives out.
        width: elements of a query and a key.
        value_width: elements of a value.
    """

    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    cache: int
    width: int
    value_width: int

    def rows(self, name: str) -> list[Row]:
        """Return the two products and the softmax between them."""
        heads = self.batch * self.heads
        return attention_rows(name, heads, self.queries, self.keys, self.width, self.value_width)


def output_shapes(node: Node) -> list[Shape] | None:
    """Return the shapes of the outputs of an operator of com.microsoft: result and caches.

    None for any other, and where a size is missing.
    """
    sizes_of = CONTRIB_ATTENTION.get(node.operator)
    if sizes_of is None:
        return None
    try:
        sizes = sizes_of(node)
    except UnknownSizeError:
        return None
    result = (sizes.batch, sizes.queries, sizes.heads * sizes.value_width)
    if node.operator in _JOINED:
        return [result, (2, sizes.batch, sizes.heads, sizes.cache, sizes.width)]
    caches = [(sizes.batch, sizes.key_heads, sizes.cache, width) for width in (sizes.width, sizes.value_width)]
    return [result, *caches]


# -- the standard's operator ------------------------------------------------------------------------------------------


def standard_attention(node: Node) -> AttentionSizes:
    """Return `Attention` of opset 23 on: heads apart (4 dimensions) or side by side (3); keys of earlier steps come first.

    Raises:
        UnknownSizeError: a size is not known, or the sizes exclude each other.
    """
    query = shape_of(node, 0, 3, 4)
    key, value = (shape_of(node, index, len(query), len(query)) for index in (1, 2))
    if len(query) == 3:
        heads, groups = positive(node, "q_num_heads"), positive(node, "kv_num_heads")
        query, key, value = _apart(query, heads), _apart(key, groups), _apart(value, groups)
    batch, heads, queries, width = query
    groups, steps = key[1], key[2]
    _agree(
        key == (batch, groups, steps, width) and value[:3] == key[:3], "keys and values of other sizes than the queries"
    )
    _agree(heads % max(groups, 1) == 0, f"{heads} heads of queries for {groups} of keys")
    total = steps + _past_steps(node, 4, (batch, groups, width))
    _check_mask(node, 3, (batch, heads, queries, total), shorter=node.tensor(6) is not None)
    valid = node.largest(6)
    keys = total if valid is None else min(total, valid)
    return AttentionSizes(batch, heads, groups, queries, keys, total, width, value[3])


def _apart(shape: Shape, heads: int) -> Shape:
    """Return the heads that lie side by side, as (batch, heads, steps, width)."""
    return shape[0], heads, shape[1], _each(shape[2], heads)


# -- those of com.microsoft -------------------------------------------------------------------------------------------


def _grouped_query(node: Node) -> AttentionSizes:
    """Return `GroupQueryAttention`: queries of several heads share keys; all three may lie in the first input.

    The cache is a buffer that is shared between steps where it has room for all keys, and grows otherwise. Keys behind
    `total_sequence_length` are in no product.
    """
    batch, queries, hidden = shape_of(node, 0, 3, 3)
    heads, groups = positive(node, "num_heads"), positive(node, "kv_num_heads")
    _agree(heads % groups == 0, f"{heads} heads of queries for {groups} of keys")
    past = _past(node, 3)
    if node.tensor(1) is not None:
        width = _each(hidden, heads)
        steps, value_width = _keys(node, batch, groups, width)
    elif past is not None and hidden == heads * past[3]:  # another layer wrote the cache
        steps, width, value_width = 0, past[3], past[3]
    else:
        width = _each(hidden, heads + 2 * groups)
        steps, value_width = queries, width
    before = _past_steps(node, 3, (batch, groups, width))
    total = _total(node, before, steps)
    _check_mask(node, 10, (batch, heads, queries, total))
    window = node.attributes.get("local_window_size", -1)
    keys = min(total, window) if isinstance(window, int) and window > 0 else total
    return AttentionSizes(batch, heads, groups, queries, keys, max(before, total), width, value_width)


def _total(node: Node, before: int, steps: int) -> int:
    """Return the keys of all steps, by `total_sequence_length`, or by the largest of `seqlens_k`; else all that there are."""
    total, last = node.largest(6), node.largest(5)
    if total is None:
        return before + steps if last is None else max(last + 1, steps)
    fits = steps <= total and (total <= before or total == before + steps)
    _agree(fits, f"{total} keys in all for {steps} behind a cache of {before}")
    return total


def _multi_head(past: int, length: int, bias: int) -> Callable[[Node], AttentionSizes]:
    """Return `MultiHeadAttention` and its form for single steps.

    Past keys, their number and bias are the inputs of these numbers.
    """

    def sizes_of(node: Node) -> AttentionSizes:
        query = shape_of(node, 0, 3, 5)
        heads = positive(node, "num_heads")
        batch, queries = query[:2]
        if len(query) == 5:
            _agree(query[2:4] == (heads, 3), f"{heads} heads of query, key and value")
            steps, width, value_width = queries, query[4], query[4]
        else:
            width = _each(query[2], heads)
            steps, value_width = _keys(node, batch, heads, width, past)
        keys, cache = _with_past(node, steps, _past_steps(node, past, (batch, heads, width)), length)
        _check_mask(node, bias, (batch, heads, queries, keys))
        return AttentionSizes(batch, heads, heads, queries, keys, cache, width, value_width)

    return sizes_of


def _joined_projections(past: int, length: int | None = None) -> Callable[[Node], AttentionSizes]:
    """Return `Attention` and `QAttention`: the projections of query, key and value are one weight."""

    def sizes_of(node: Node) -> AttentionSizes:
        batch, steps, inputs = shape_of(node, 0, 3, 3)
        weight, heads = shape_of(node, 1, 2, 2), positive(node, "num_heads")
        query, _, value = _projection_widths(node, weight)
        _agree(weight[0] == inputs, f"a weight of {weight[0]} rows for {inputs} inputs")
        width = _each(query, heads)
        keys, cache = _with_past(node, steps, _past_steps(node, past, (batch, heads, width)), length)
        return AttentionSizes(batch, heads, heads, steps, keys, cache, width, _each(value, heads))

    return sizes_of


def _projection_widths(node: Node, weight: Shape) -> tuple[int, int, int]:
    """Return the columns of query, key and value in the joined weight."""
    widths = node.attributes.get("qkv_hidden_sizes") or [weight[-1] // 3] * 3
    if not isinstance(widths, list) or len(widths) != 3 or sum(widths) != weight[-1] or widths[0] != widths[1]:
        raise UnknownSizeError(f"projections of {widths} in {weight[-1]} columns")
    return widths[0], widths[1], widths[2]


def _with_past(node: Node, steps: int, before: int, length: int | None) -> tuple[int, int]:
    """Return the keys of a product, and positions of the cache behind it.

    In a shared buffer only so many are filled as an input says.
    """
    if not node.attributes.get("past_present_share_buffer"):
        return before + steps, before + steps
    filled = None if length is None else node.largest(length)
    return (before if filled is None else filled + steps), before


def _keys(node: Node, batch: int, heads: int, width: int, past: int | None = None) -> tuple[int, int]:
    """Return the steps and value width of keys and values; none of their own where all lie in the cache."""
    if node.tensor(1) is None:
        cached = None if past is None else _past(node, past)
        if cached is None:
            raise UnknownSizeError("key and value are left out")
        return 0, cached[3]
    key = shape_of(node, 1, 3, 5)
    if len(key) == 5:  # (batch, steps, heads, key and value, width)
        _agree(key == (batch, key[1], heads, 2, width), "keys and values of other sizes than the queries")
        return key[1], width
    value = shape_of(node, 2, len(key), len(key))
    if len(key) == 3:
        key, value = _apart(key, heads), _apart(value, heads)
    _agree(
        key == (batch, heads, key[2], width) and value[:3] == key[:3], "keys and values of other sizes than the queries"
    )
    return key[2], value[3]


def _past(node: Node, index: int) -> Shape | None:
    """Return a cache: (batch, heads, steps, width), or (2, batch, heads, steps, width) for keys and values.

    None where there is none.
    """
    return None if node.tensor(index) is None else shape_of(node, index, 4, 5)[-4:]


def _past_steps(node: Node, index: int, others: tuple[int, int, int]) -> int:
    """Return the keys of earlier steps.

    Args:
        node: the operator.
        index: number of the input with the cache.
        others: its other sizes: batch, heads, width.
    """
    past = _past(node, index)
    if past is None:
        return 0
    _agree((past[0], past[1], past[3]) == others, "a cache of other sizes than the keys")
    return past[2]


def _check_mask(node: Node, index: int, scores: Shape, shorter: bool = False) -> None:
    """Refuse a mask or bias that cannot be added to scores of (batch, heads, queries, keys), perhaps after lengthening."""
    mask = node.tensor(index)
    if mask is None or not mask.shape:
        return
    last = scores[-1] if shorter and mask.shape[-1] < scores[-1] else mask.shape[-1]
    sizes = (*mask.shape[-4:-1], last)
    fits = all(size in (1, score) for size, score in zip(sizes[::-1], scores[::-1], strict=False))
    _agree(fits, f"{' × '.join(map(str, mask.shape))} to add to scores of {' × '.join(map(str, scores))}")


def positive(node: Node, name: str) -> int:
    """Return an attribute that is a whole number from 1 on.

    Raises:
        UnknownSizeError: it is none.
    """
    value = node.attributes.get(name)
    if not isinstance(value, int) or value < 1:
        raise UnknownSizeError(f"{name} is {value!r}")
    return value


def _each(size: int, parts: int) -> int:
    _agree(size % parts == 0, f"{size} elements for {parts} heads")
    return size // parts


def _agree(fits: bool, reason: str) -> None:
    if not fits:
        raise ContradictionError(reason)


JOINED_ATTENTION = {
    "Attention": _joined_projections(past=4, length=6),
    "QAttention": _joined_projections(past=8),
}
ATTENTION = {
    "MultiHeadAttention": _multi_head(past=6, length=8, bias=5),
    "DecoderMaskedMultiHeadAttention": _multi_head(past=5, length=7, bias=4),
    "GroupQueryAttention": _grouped_query,
}
_JOINED = frozenset(f"{DOMAIN}.{operator}" for operator in JOINED_ATTENTION)
CONTRIB_ATTENTION = {f"{DOMAIN}.{operator}": sizes_of for operator, sizes_of in (JOINED_ATTENTION | ATTENTION).items()}
