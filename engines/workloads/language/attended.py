"""Pairs of queries and tokens that attention multiplies: sums in closed form, and rectangles of the same size."""

from __future__ import annotations


def attended_pairs(tokens: int, context: int, window: int | None) -> int:
    """Return the pairs of `tokens` consecutive tokens, each with itself and those before it that it sees.

    Token i of 1..`tokens` sees `min(context + i, window)`; the sum is linear in the context once the window is full.
    """
    if window is None:
        return tokens * context + tokens * (tokens + 1) // 2
    growing = max(0, min(tokens, window - context))
    return attended_pairs(growing, context, None) + (tokens - growing) * window


def products(tokens: int, context: int, window: int | None) -> list[tuple[int, int]]:
    """Return (queries, keys) of full products with as many multiply-accumulates as `attended_pairs` has pairs.

    A triangle is a rectangle of half its height: the keys stay as many as kernels read, the queries are half as many.
    """
    growing = tokens if window is None else max(0, min(tokens, window - context))
    if growing == tokens == 1:
        return [(1, context + 1)]
    parts = [(growing, context)]
    parts.append((growing // 2, growing + 1) if growing % 2 == 0 else ((growing + 1) // 2, growing))
    parts.append((tokens - growing, window or 0))
    return [(queries, keys) for queries, keys in parts if queries and keys]
