"""Seeded splits that keep the share of every class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.data.data_set import Split

SPLIT_SEED = 2023
HELD_OUT = 0.15  # share of a held-out split


def stratified_rows(labels: IntArray, shares: tuple[float, ...], seed: int = SPLIT_SEED) -> tuple[IntArray, ...]:
    """Return the rows of disjoint parts that together are everything, each class spread over them by `shares`.

    Args:
        labels: class of each example, shape `n`.
        shares: shares of the parts, summing to 1.
        seed: seed of the order in which examples are dealt.

    Returns:
        ascending rows of each part. A class too small for every part goes to the first ones.

    Raises:
        ProblemError: the shares do not sum to 1, or a part stays empty.
    """
    if min(shares) <= 0 or abs(sum(shares) - 1.0) > 1e-9:
        raise ProblemError("data.shares", shares, "positive shares that sum to 1")
    generator = np.random.default_rng(seed)
    parts: list[list[IntArray]] = [[] for _ in shares]
    for label in np.unique(labels):
        rows = generator.permutation(np.flatnonzero(labels == label))
        ends = np.rint(np.cumsum(shares) * len(rows)).astype(np.int64)
        for part, piece in zip(parts, np.split(rows, ends[:-1]), strict=True):
            part.append(piece)
    found = tuple(np.sort(np.concatenate(part)) for part in parts)
    if any(len(rows) == 0 for rows in found):
        raise ProblemError(
            "data", f"{len(labels)} examples", f"a data set with enough examples for {len(shares)} parts"
        )
    return found


def stratified_split(whole: Split, shares: tuple[float, ...], seed: int = SPLIT_SEED) -> tuple[Split, ...]:
    """Return `whole` in parts by `stratified_rows`."""
    return tuple(whole.take(rows) for rows in stratified_rows(whole.labels, shares, seed))


def complete_splits(
    given: Mapping[str, Split], seed: int = SPLIT_SEED
) -> tuple[tuple[Split, Split, Split], tuple[str, ...]]:
    """Split the missing splits off from the training split.

    Args:
        given: "train", and "validation" and "test" or not.
        seed: seed of what is cut off.

    Returns:
        training, validation and test split, and sentences that say what was cut off.

    Raises:
        ProblemError: as `stratified_rows`.
    """
    missing = [name for name in ("validation", "test") if name not in given]
    if not missing:
        return (given["train"], given["validation"], given["test"]), ()
    parts = stratified_split(given["train"], (1 - HELD_OUT * len(missing), *[HELD_OUT] * len(missing)), seed)
    whole = {**given, **dict(zip(("train", *missing), parts, strict=True))}
    counts = " and ".join(f"{counted(len(whole[name]))} for {name}" for name in missing)
    note = f"Split off from the training examples, about {100 * HELD_OUT:.0f} % of each class: {counts}."
    return (whole["train"], whole["validation"], whole["test"]), (note,)
