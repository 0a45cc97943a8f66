"""All mappings of a problem: drawn, changed and mended, many at once."""

from __future__ import annotations

from itertools import pairwise, product
from math import comb, prod

import numpy as np

from engines.contract.arrays import BoolArray, IntArray
from engines.simulation.board import Board, Mappings

_NEAR = 3.0  # layers that a cut moves on average
_SWEPT_CUTS = 48
_CLOCK_SETTINGS = 630.0  # tried at once, at most: five clocks of each of four units


class Space:
    """Mappings of at most so many segments to each network.

    Args:
        board: networks and units.
        segments: at most, of a network.
    """

    def __init__(self, board: Board, segments: int) -> None:
        self.board, self.segments = board, segments
        self.networks, self.units = len(board.networks), len(board.units)
        self.counts = board.step_counts

    @property
    def size(self) -> int:
        """How many mappings there are, unused units being off; an upper bound, as not every unit runs every layer."""
        chains = 1
        for layers in self.board.layers.tolist():
            most = min(self.segments, layers)
            chains *= sum(comb(layers - 1, k) * self.units * (self.units - 1) ** k for k in range(most))
        return chains * prod(map(int, self.counts))

    def all(self) -> Mappings:
        """Return every mapping that can run, for small problems: all chains, all clocks of used units."""
        each = [self._chains(number) for number in range(self.networks)]
        picks = np.array(list(product(*(range(len(ends)) for ends, _ in each))))
        ends = np.stack([each[number][0][picks[:, number]] for number in range(self.networks)], axis=1)
        units = np.stack([each[number][1][picks[:, number]] for number in range(self.networks)], axis=1)
        steps = np.array(list(product(*(range(1, count + 1) for count in self.counts.tolist()))))
        mappings = Mappings(ends, units, np.ones((len(ends), self.units), dtype=np.int64)).repeated(len(steps))
        clocked = self.tidied(Mappings(mappings.ends, mappings.units, np.tile(steps, (len(ends), 1))))
        rows = np.concatenate(
            [each.reshape(len(clocked), -1) for each in (clocked.ends, clocked.units, clocked.steps)], 1
        )
        return clocked.take(np.sort(np.unique(rows, axis=0, return_index=True)[1]))

    def drawn(self, random: np.random.Generator, count: int) -> Mappings:
        """Draw at random: number of segments, cuts, units that run them, and clocks."""
        return self.mended(self._drawn(random, count), random)

    def _drawn(self, random: np.random.Generator, count: int) -> Mappings:
        """Return the same, but some may lie on units that cannot run them."""
        shape = (count, self.networks, self.segments)
        last = self.board.layers[:, None]
        ends = 1 + (random.random(shape) * last).astype(np.int64)
        kept = random.integers(1, self.segments + 1, shape[:2])
        ends = np.where(np.arange(self.segments) >= kept[:, :, None] - 1, last, ends)
        ends = np.sort(np.minimum(ends, last), axis=2)
        units = random.integers(0, self.units, shape)
        steps = 1 + (random.random((count, self.units)) * self.counts).astype(np.int64)
        return Mappings(ends, units, steps)

    def whole(self, units: IntArray, steps: IntArray) -> Mappings:
        """Return every network on one unit, shape `b x n`, at clocks of shape `b x u`."""
        ends = np.broadcast_to(self.board.layers[:, None], (*units.shape, self.segments))
        spread = np.broadcast_to(units[:, :, None], (*units.shape, self.segments))
        return self.tidied(Mappings(ends.copy(), spread.copy(), steps))

    def changed(self, mappings: Mappings, random: np.random.Generator, times: int = 3) -> Mappings:
        """Return each with one to `times` changes: of a network's segments, a cut, a unit, two networks' places, or a clock."""
        ends, units, steps = mappings.ends.copy(), mappings.units.copy(), mappings.steps.copy()
        rows = np.arange(len(mappings))
        layers, fresh = self.board.layers, self._drawn(random, len(mappings))
        wanted = random.integers(1, times + 1, len(mappings))
        for turn in range(times):
            kind = np.where(turn < wanted, random.integers(0, 10, len(mappings)), -1)
            network = random.integers(0, self.networks, len(mappings))
            unit = random.integers(0, self.units, len(mappings))
            place = random.integers(0, self.segments, len(mappings))
            at = rows[kind == 0], network[kind == 0]
            ends[at], units[at] = layers[at[1], None], unit[kind == 0, None]
            at = rows[kind == 1], network[kind == 1]
            ends[at], units[at] = fresh.ends[at], fresh.units[at]
            for number in (2, 3):  # cuts move more often than whole networks
                chosen = (kind == number) & (place < self.segments - 1)
                move = random.geometric(1 / _NEAR, len(rows)) * random.choice((-1, 1), len(rows))
                ends[rows[chosen], network[chosen], place[chosen]] += move[chosen]
            chosen = kind == 4
            units[rows[chosen], network[chosen], place[chosen]] = unit[chosen]
            self._swap(ends, units, rows[kind == 5], network[kind == 5], random)
            self._clear(ends, units, rows[kind == 8], network[kind == 8], unit[kind == 8])
            if self.segments > 1:
                chosen = kind == 9
                cut = 1 + (random.random(len(rows)) * (layers[network] - 1)).astype(np.int64)
                self._pair(ends, units, rows[chosen], network[chosen], cut[chosen], random)
            chosen = kind == 6
            steps[rows[chosen], unit[chosen]] += random.choice((-2, -1, 1, 2), int(chosen.sum()))
            chosen = kind == 7
            steps[rows[chosen], unit[chosen]] = fresh.steps[rows[chosen], unit[chosen]]
        ends = np.sort(np.clip(ends, 0, layers[:, None]), axis=2)
        ends[:, :, -1] = layers
        return self.mended(Mappings(ends, units, np.clip(steps, 0, self.counts)), random)

    def _clear(self, ends: IntArray, units: IntArray, rows: IntArray, network: IntArray, unit: IntArray) -> None:
        """Move all networks with a segment on the first unit of one network whole to another unit; that one stays alone."""
        busy = units[rows, network, 0]
        moved = (units[rows] == busy[:, None, None]).any(axis=2)
        moved[np.arange(len(rows)), network] = False
        ends[rows] = np.where(moved[:, :, None], self.board.layers[:, None], ends[rows])
        units[rows] = np.where(moved[:, :, None], unit[:, None, None], units[rows])

    def _pair(
        self,
        ends: IntArray,
        units: IntArray,
        rows: IntArray,
        network: IntArray,
        cut: IntArray,
        random: np.random.Generator,
    ) -> None:
        """Give one network two units for itself, cut in two; move all networks with a segment there whole to a third."""
        order = random.random((len(rows), self.units)).argsort(axis=1, kind="stable")
        first, second, other = (order[:, min(place, self.units - 1)] for place in range(3))
        busy = (units[rows] == first[:, None, None]) | (units[rows] == second[:, None, None])
        moved = busy.any(axis=2)
        moved[np.arange(len(rows)), network] = False
        ends[rows] = np.where(moved[:, :, None], self.board.layers[:, None], ends[rows])
        units[rows] = np.where(moved[:, :, None], other[:, None, None], units[rows])
        ends[rows, network], units[rows, network] = self.board.layers[network][:, None], second[:, None]
        ends[rows, network, 0], units[rows, network, 0] = cut, first

    def _swap(
        self, ends: IntArray, units: IntArray, rows: IntArray, network: IntArray, random: np.random.Generator
    ) -> None:
        """Swap two networks, with cuts at the same share of their layers."""
        other, layers = random.integers(0, self.networks, len(rows)), self.board.layers
        first, second = ends[rows, network], ends[rows, other]
        ratio = (layers[other] / layers[network])[:, None]
        ends[rows, other] = np.where(first == layers[network, None], layers[other, None], np.rint(first * ratio))
        ends[rows, network] = np.where(second == layers[other, None], layers[network, None], np.rint(second / ratio))
        units[rows, network], units[rows, other] = units[rows, other].copy(), units[rows, network].copy()

    def crowded(self, random: np.random.Generator, count: int) -> Mappings:
        """Return the whole networks at random, of each mapping most on one or two units, so that others have few to serve."""
        liking = random.gamma(0.3, size=(count, 1, self.units)) + 1e-12
        units = (np.log(liking) + random.gumbel(size=(count, self.networks, self.units))).argmax(axis=2)
        ends = np.broadcast_to(self.board.layers[:, None], (*units.shape, self.segments)).copy()
        lower = np.where(random.random((count, self.units)) < 0.5, 1.0, random.random((count, self.units)))
        steps = np.ceil(lower * self.counts).astype(np.int64)
        return self.mended(Mappings(ends, np.repeat(units[:, :, None], self.segments, axis=2), steps), random)

    def mended(self, mappings: Mappings, random: np.random.Generator) -> Mappings:
        """Return the segments on units that cannot run them go to ones that can; used units are on, others off."""
        start = np.concatenate([np.zeros_like(mappings.ends[:, :, :1]), mappings.ends[:, :, :-1]], axis=2)
        able = self._able(start, mappings.ends)
        fits = np.take_along_axis(able, mappings.units[..., None], axis=3)[..., 0]
        if not fits.all():
            keys = random.random((*mappings.units.shape, self.units))
            mappings = Mappings(
                mappings.ends, np.where(fits, mappings.units, (able * keys).argmax(axis=3)), mappings.steps
            )
        off = mappings.steps == 0
        steps = np.where(off, 1 + (random.random(off.shape) * self.counts).astype(np.int64), mappings.steps)
        return self.tidied(Mappings(mappings.ends, mappings.units, steps))

    def tidied(self, mappings: Mappings) -> Mappings:
        """Return the neighbours on the same unit joined, empty segments at the end, unused units off."""
        ends, units = mappings.ends.copy(), mappings.units.copy()
        last = self.board.layers[:, None]
        for left, right in reversed(list(pairwise(range(self.segments)))):
            start = ends[:, :, left - 1] if left else np.zeros_like(ends[:, :, 0])
            empty = ends[:, :, left] <= start
            same = (units[:, :, left] == units[:, :, right]) | empty
            ends[:, :, left:] = np.where(
                same[:, :, None], np.concatenate([ends[:, :, left + 1 :], ends[:, :, -1:]], axis=2), ends[:, :, left:]
            )
            units[:, :, left:] = np.where(
                same[:, :, None],
                np.concatenate([units[:, :, left + 1 :], units[:, :, -1:]], axis=2),
                units[:, :, left:],
            )
        start = np.concatenate([np.zeros_like(ends[:, :, :1]), ends[:, :, :-1]], axis=2)
        works = ends > start
        final = np.take_along_axis(units, works.sum(axis=2, keepdims=True) - 1, axis=2)
        units = np.where(works, units, final)
        ends = np.where(works, ends, last)
        used = np.stack([(units == unit).any(axis=(1, 2)) for unit in range(self.units)], axis=1)
        return Mappings(ends, units, np.where(used, mappings.steps, 0))

    def swept(self, mapping: Mappings, network: int, random: np.random.Generator) -> Mappings:
        """Return one mapping with one network in every way: whole on each unit, and cut in two at evenly drawn places."""
        layers = int(self.board.layers[network])
        count = min(_SWEPT_CUTS, layers - 1)
        places = np.sort(random.permutation(layers - 1)[:count]) + 1 if count else np.empty(0, np.int64)
        ways = [(layers, unit, unit) for unit in range(self.units)]
        if self.segments > 1:
            pairs = [(a, b) for a, b in product(range(self.units), repeat=2) if a != b]
            ways += [(int(place), a, b) for place in places for a, b in pairs]
        found = mapping.repeated(len(ways))
        cut, first, second = (np.array(column) for column in zip(*ways, strict=True))
        ends, units = found.ends.copy(), found.units.copy()
        ends[:, network], units[:, network] = layers, second[:, None]
        ends[:, network, 0], units[:, network, 0] = cut, first
        steps = np.where(found.steps == 0, self.counts, found.steps)
        return self.mended(Mappings(ends, units, steps), random)

    def clocked(self, mapping: Mappings, random: np.random.Generator) -> Mappings:
        """Return one mapping at combinations of clocks of its used units: the current ones, their neighbours, and random ones."""
        used = np.flatnonzero(mapping.steps[0])
        count = max(2, int(_CLOCK_SETTINGS ** (1 / len(used))))
        levels = [np.zeros(1, np.int64)] * self.units
        for unit in used.tolist():
            own, most = int(mapping.steps[0, unit]), int(self.counts[unit])
            beside = [own, *random.permutation([own - 1, own + 1]).tolist()]
            near = dict.fromkeys(
                [*(step for step in beside if 1 <= step <= most), *(1 + random.permutation(most)).tolist()]
            )
            levels[unit] = np.array(list(near)[:count])
        steps = np.stack([axis.ravel() for axis in np.meshgrid(*levels, indexing="ij")], axis=1)
        found = mapping.repeated(len(steps))
        return Mappings(found.ends, found.units, steps)

    def _able(self, start: IntArray, ends: IntArray) -> BoolArray:
        """Return a mask of the units that can run every layer of each segment, shape `b x n x s x u`; all for empty ones."""
        reach = self.board.reach[np.arange(self.networks)[None, :, None], :, start]
        return np.asarray((reach >= ends[..., None]) | (start >= ends)[..., None])

    def _chains(self, network: int) -> tuple[IntArray, IntArray]:
        """Return every way to cut one network and place its segments, shapes `k x s`."""
        layers = int(self.board.layers[network])
        ends, units = [], []
        for cuts in product(range(1, layers + 1), repeat=self.segments - 1):
            if any(b < a for a, b in pairwise(cuts)):
                continue
            for places in product(range(self.units), repeat=self.segments):
                ends.append((*cuts, layers))
                units.append(places)
        found, places_of = np.array(ends), np.array(units)
        start = np.concatenate([np.zeros_like(found[:, :1]), found[:, :-1]], axis=1)
        reach = self.board.reach[network, places_of, start]
        works = found > start
        first = np.concatenate([np.ones_like(works[:, :1]), works[:, :-1]], axis=1) if self.segments > 1 else works
        joined = (places_of[:, 1:] == places_of[:, :-1]) & works[:, 1:] if self.segments > 1 else np.zeros((1, 1), bool)
        idle = ~works & (places_of != np.roll(places_of, 1, axis=1))
        good = ((reach >= found) | ~works).all(axis=1) & (first | ~works).all(axis=1) & ~joined.any(axis=1)
        good &= ~idle[:, 1:].any(axis=1) if self.segments > 1 else True
        return found[good], places_of[good]


def even_levels(space: Space) -> int:
    """Return how many there are: as many as the longest table has clocks."""
    return int(space.counts.max())


def at_even_clocks(space: Space, mappings: Mappings) -> Mappings:
    """Return each mapping at evenly lowered clocks of all units, from the highest down, `even_levels` of each in order."""
    levels = even_levels(space)
    shares = np.arange(levels, 0, -1) / levels
    steps = np.ceil(shares[:, None] * space.counts - 1e-9).astype(np.int64)
    found = mappings.repeated(levels)
    return space.tidied(Mappings(found.ends, found.units, np.tile(steps, (len(mappings), 1))))
