"""Exact choice of one option per party, no unit used twice: the least objective of largest latency and summed energy.

A set of units is a bit mask. Parties are joined one after the other; of the partial choices on the same units only the
non-dominated ones continue, and those whose best completion is above a ceiling are dropped. The best completion on the units
that are left comes from tables over all sets of units (small systems), or from each party alone (large ones).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.solver.chain_mapping import Value
from engines.contract.arrays import FloatArray, IntArray
from engines.search.dominance import non_dominated_by_group

MOST_UNITS_IN_TABLES = 12
_PAIRS_AT_ONCE = 1_000_000
_TAGS = 64
_MOST_JOINED_TAG = 2**56  # numbers of joined tags from here on are given again, so that one more tag fits into 64 bits


@dataclass(frozen=True)
class Options:
    """The options of one party, shape `n` each.

    Attributes:
        mask: units as bit masks.
        latency_s, energy_j: costs.
        tag: from 0 to 63: choices whose parties have different tags are kept apart; None: nothing is.
    """

    mask: IntArray
    latency_s: FloatArray
    energy_j: FloatArray
    tag: IntArray | None = None


@dataclass(frozen=True)
class Choice:
    """Complete choices: latency and energy, and the option of each party (`n x parties`).

    Attributes:
        states: pairs of a partial choice and an option that were looked at.
        complete: whether nothing was dropped for lack of room.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    picks: IntArray
    states: int
    complete: bool


class LeastElsewhere:
    """For one party: least latency and least energy of an option that avoids given units."""

    def __init__(self, options: Options, units: int) -> None:
        self._tables: tuple[FloatArray, FloatArray] | None = None
        self._least = (float(options.latency_s.min(initial=np.inf)), float(options.energy_j.min(initial=np.inf)))
        if units <= MOST_UNITS_IN_TABLES:
            self._full = np.int64((1 << units) - 1)
            self._tables = (
                _least_of_subsets(options.mask, options.latency_s, units),
                _least_of_subsets(options.mask, options.energy_j, units),
            )

    def latency_s(self, used: IntArray) -> FloatArray:
        """Return the least latency in seconds without the units in `used` (masks, shape `n`), shape `n`."""
        if self._tables is None:
            return np.full(len(used), self._least[0])
        return np.asarray(self._tables[0][self._full & ~used])

    def energy_j(self, used: IntArray) -> FloatArray:
        """Return the least energy in joules without the units in `used` (masks, shape `n`), shape `n`."""
        if self._tables is None:
            return np.full(len(used), self._least[1])
        return np.asarray(self._tables[1][self._full & ~used])


def _least_of_subsets(mask: IntArray, values: FloatArray, units: int) -> FloatArray:
    """Return at every mask the least of `values` whose own mask is part of it, shape `2^units`."""
    table = np.full(1 << units, np.inf)
    np.minimum.at(table, mask, values)
    for unit in range(units):
        halves = table.reshape(-1, 2, 1 << unit)
        halves[:, 1] = np.minimum(halves[:, 1], halves[:, 0])
    return table


def least_of_others(least: Sequence[LeastElsewhere], party: int, used: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the latency and energy that the other parties add at least if `used` is taken, shape of `used`."""
    latency, energy = np.zeros(len(used)), np.zeros(len(used))
    for other, table in enumerate(least):
        if other != party:
            latency = np.maximum(latency, table.latency_s(used))
            energy = energy + table.energy_j(used)
    return latency, energy


def choose_disjoint(
    parties: Sequence[Options],
    units: int,
    value: Value,
    ceiling: float = np.inf,
    most: int = 200_000,
    least: Sequence[LeastElsewhere] | None = None,
) -> Choice:
    """Return all non-dominated complete choices up to the ceiling.

    Args:
        parties: options of each party.
        units: number of units.
        value: objective from latency and energy, rising in both.
        ceiling: choices above it are of no use.
        most: partial choices kept; beyond, those with the least bound stay and `complete` is False.
        least: tables of each party, where they are at hand.
    """
    if least is None:
        least = [LeastElsewhere(options, units) for options in parties]
    order = sorted(range(len(parties)), key=lambda party: len(parties[party].mask))
    mask, latency, energy = np.zeros(1, np.int64), np.zeros(1), np.zeros(1)
    tag = np.zeros(1, np.int64)
    picks = np.full((1, len(parties)), -1, np.int64)
    states, complete = 0, True
    for position, party in enumerate(order):
        options = parties[party]
        rest = [least[p] for p in order[position + 1 :]]
        row, column, looked_at = _useful_pairs((mask, latency, energy), options, rest, value, ceiling)
        states += looked_at
        new_mask = mask[row] | options.mask[column]
        new_latency = np.maximum(latency[row], options.latency_s[column])
        new_energy = energy[row] + options.energy_j[column]
        new_tag = tag[row] if options.tag is None else joined_tags(tag[row], options.tag[column])
        keep = non_dominated_by_group(_group(new_mask, new_tag), new_latency, new_energy)
        if len(keep) > most:
            complete = False
            bound = _bound(new_mask[keep], new_latency[keep], new_energy[keep], rest, value)
            keep = keep[np.sort(np.argsort(bound, kind="stable")[:most])]
        mask, latency, energy, tag = new_mask[keep], new_latency[keep], new_energy[keep], new_tag[keep]
        picks = picks[row[keep]]
        picks[:, party] = column[keep]
    return Choice(latency, energy, picks, states, complete)


def joined_tags(before: IntArray, tag: IntArray) -> IntArray:
    """Return a number per different pair of the tags of some parties, as joined before, and the tag of one more; shape of both."""
    if before.max(initial=0) >= _MOST_JOINED_TAG:
        before = np.unique(before, return_inverse=True)[1].reshape(-1)
    return np.asarray(before * _TAGS + tag)


def _group(mask: IntArray, tag: IntArray) -> IntArray:
    """Return a number per different pair of mask and tag; all of the same shape."""
    if not tag.any():
        return mask
    tags, number = np.unique(tag, return_inverse=True)
    return np.unique(mask, return_inverse=True)[1] * len(tags) + number


def _useful_pairs(
    partial: tuple[IntArray, FloatArray, FloatArray],
    options: Options,
    rest: Sequence[LeastElsewhere],
    value: Value,
    ceiling: float,
) -> tuple[IntArray, IntArray, int]:
    """Index pairs (partial choice, option) on disjoint units whose bound keeps the ceiling; how many were looked at.

    Shape `pairs` each; `partial` are mask, latency and energy, shape `n` each.
    """
    mask, latency, energy = partial
    rows = max(1, _PAIRS_AT_ONCE // max(1, len(options.mask)))
    found, looked_at = [], 0
    for begin in range(0, len(mask), rows):
        free = (mask[begin : begin + rows, None] & options.mask[None, :]) == 0
        looked_at += free.size
        row, column = np.nonzero(free)
        row += begin
        joined = (
            mask[row] | options.mask[column],
            np.maximum(latency[row], options.latency_s[column]),
            energy[row] + options.energy_j[column],
        )
        useful = np.flatnonzero(_bound(*joined, rest, value) <= ceiling)
        found.append((row[useful], column[useful]))
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64), 0
    return np.concatenate([r for r, _ in found]), np.concatenate([c for _, c in found]), looked_at


def _bound(
    mask: IntArray, latency_s: FloatArray, energy_j: FloatArray, rest: Sequence[LeastElsewhere], value: Value
) -> FloatArray:
    for table in rest:
        latency_s = np.maximum(latency_s, table.latency_s(mask))
        energy_j = energy_j + table.energy_j(mask)
    return value(latency_s, energy_j)
