"""Pairs of queries and tokens that attention multiplies: sums in closed form, and rectangles of the same size."""

from __future__ import annotations


def attended_pairs(tokens: int, context: int, window: int | None, *, chunked: bool = False) -> int:
    """Return the pairs of `tokens` consecutive tokens, each with itself and those before it that it sees.

    Token i of 1..`tokens` sees `min(context + i, window)`; the sum is linear in the context once the window is full. Where it is
    `chunked`, each `window` tokens begin anew: a token sees those of its own chunk alone.
    """
    if window is not None and chunked:
        parts = _chunks(tokens, context, window)
        return sum(count * attended_pairs(part, before, None) for count, part, before in parts)
    if window is None:
        return tokens * context + tokens * (tokens + 1) // 2
    growing = max(0, min(tokens, window - context))
    return attended_pairs(growing, context, None) + (tokens - growing) * window


def products(tokens: int, context: int, window: int | None, *, chunked: bool = False) -> list[tuple[int, int]]:
    """Return (queries, keys) of full products with as many multiply-accumulates as `attended_pairs` has pairs.

    A triangle is a rectangle of half its height: the keys stay as many as kernels read, the queries are half as many.
    """
    if window is not None and chunked:
        parts = _chunks(tokens, context, window)
        return [(count * rows, keys) for count, part, before in parts for rows, keys in products(part, before, None)]
    growing = tokens if window is None else max(0, min(tokens, window - context))
    if growing == tokens == 1:
        return [(1, context + 1)]
    rows = [(growing, context)]
    rows.append((growing // 2, growing + 1) if growing % 2 == 0 else ((growing + 1) // 2, growing))
    rows.append((tokens - growing, window or 0))
    return [(queries, keys) for queries, keys in rows if queries and keys]


def _chunks(tokens: int, context: int, size: int) -> list[tuple[int, int, int]]:
    """Return (count, tokens, tokens before in the same chunk): the rest of a chunk, whole chunks, and the start of one."""
    first = min(tokens, size - context % size)
    whole, last = divmod(tokens - first, size)
    return [part for part in ((1, first, context % size), (whole, size, 0), (1, last, 0)) if part[0] and part[1]]
