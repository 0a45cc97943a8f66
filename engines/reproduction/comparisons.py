"""A comparison with a published value: a row with its kind and its test, its readings together, and its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite, log
from typing import Literal, NamedTuple

Kind = Literal["exact", "predicted", "fitted", "chosen", "cross-check", "arithmetic", "constant", "repeated"]
Test = Literal["value", "effect", "range", "at least", "at most", "trend"]
Key = tuple[str, str, str, str]
# Published figures have two or three digits, and sums of rounded figures are off by as much.
AS_PRINTED_WITHIN = 0.01


@dataclass(frozen=True)
class Along:
    """Where a value stands on a curve.

    Attributes:
        title: title of the axis, with its unit.
        x: place on it.
        curve: which of the curves of a heading; "" where there is one.
        title_y: title y of the values.
    """

    title: str
    x: float
    curve: str
    title_y: str


class Ours(NamedTuple):
    """The computed part of a row: the value, whether the same side wins, and its least and largest value over seeds."""

    value: float
    ordering: bool | None
    seeds: tuple[float, float] | None


@dataclass(frozen=True)
class Comparison:
    """One published and one computed value, under one reading of the publication's open points.

    Attributes:
        name: name of the compared value, the same under every reading.
        reading: name of the choices made; "" where there is nothing to choose.
        published, ours: values in `unit`; `ours` is NaN where the reading cannot give one, `published` where the publication says
            something that ours bears on and prints no number.
        unit: "x" for a ratio.
        kind: how ours came about. "exact": an algorithm of the method runs on printed inputs. "predicted": computed, with nothing
            taken from such values. "fitted": our model was fitted to such values. "chosen": a form or a reading was chosen by this
            value. "cross-check": next to a simulator that was run for this product, no publication. "arithmetic": published figures
            put together in a line. "constant": ours is typed in, or counts what is. "repeated": another row states the same fact.
        anchor: the publication that `published` is from; values of two publications are never mixed.
        where: place in it.
        ordering: whether ours and the published value agree on which side is better; None where no side is meant.
        reason: why ours may be another value; `why` tells it where it is.
        group: heading under which it stands.
        published_high: upper end of a published range whose lower end is `published`; None where one number is published.
        sources: names of the published values that `published` is, or follows from.
        inputs: names of those that went into ours.
        part_of: name of the row of the same heading that this is a part of, and the part in a word or two; None of a row by itself.
            Pictures have parts on the line of their whole.
        along: place on a curve; None of a value by itself. A heading whose rows all have one is drawn as curves.
        elsewhere: how far ours may be off on another processor, in `unit`, and on either side: of networks that were trained, where
            a last digit of a sum decides where a training ends. 0: it comes out again.
        test: how the two are compared. "value": as a ratio. "effect": as distances from `baseline`. "range": ours within both ends.
            "at least", "at most": the published value is a bound. "trend": no number is printed, only which side wins.
        baseline: of an effect or a trend, the value in `unit` at which there is none, such as 1 for a ratio or 100 % of a whole.
        seeds: of networks that were trained, least and largest value over the seeds whose mean ours is.
    """

    name: str
    reading: str
    published: float
    ours: float
    unit: str
    kind: Kind
    anchor: str
    where: str
    ordering: bool | None = None
    reason: str = ""
    group: str = ""
    published_high: float | None = None
    sources: tuple[str, ...] = field(default=(), compare=False, repr=False)
    inputs: tuple[str, ...] = field(default=(), compare=False, repr=False)
    part_of: tuple[str, str] | None = field(default=None, compare=False, repr=False)
    along: Along | None = field(default=None, compare=False, repr=False)
    elsewhere: float = field(default=0.0, compare=False, repr=False)
    test: Test = field(default="value", compare=False, repr=False)
    baseline: float | None = field(default=None, compare=False, repr=False)
    seeds: tuple[float, float] | None = field(default=None, compare=False, repr=False)

    @property
    def ratio(self) -> float:
        """Computed over published value; over the nearer end of a range, 1 within it. NaN where none or zero was published."""
        nearest = self.published
        if self.published_high is not None and isfinite(self.ours):
            nearest = min(max(self.ours, self.published), self.published_high)
        return self.ours / nearest if nearest else float("nan")

    @property
    def as_printed(self) -> bool:
        """Whether the computed value meets the published bound or range, or equals it: within 1 %, or in the published digits."""
        if self.test == "at least":
            return self.ours >= self.published
        if self.test == "at most":
            return self.ours <= self.published
        if self.published_high is not None:
            return self.published <= self.ours <= self.published_high
        theirs, own = self.effects
        return abs(own - theirs) <= AS_PRINTED_WITHIN * abs(theirs) or self.in_printed_digits

    @property
    def effects(self) -> tuple[float, float]:
        """Distances of published and computed value from the baseline, of ratios in logarithms; without one the values."""
        if self.baseline is None:
            return self.published, self.ours
        if self.unit == "x":
            return self._logarithm(self.published), self._logarithm(self.ours)
        return self.published - self.baseline, self.ours - self.baseline

    @property
    def within_noise(self) -> bool:
        """Whether the computed value is so near to the bound, or to the tie, that another seed or processor may be beyond it."""
        limit = self.published if self.test in ("at least", "at most") else self.baseline
        if limit is None or not isfinite(self.ours):
            return False
        least, most = self.seeds or (self.ours, self.ours)
        return abs(self.ours - limit) <= self.elsewhere != 0 or (least < most and least <= limit <= most)

    @property
    def in_printed_digits(self) -> bool:
        """Whether the computed value, rounded to the digits of the published value, is that value."""
        return isfinite(self.ours) and round(self.ours, _decimals(self.published)) == self.published

    @property
    def why(self) -> str:
        """The reason for a different value or another winner; "" elsewhere and where the computed value is missing."""
        told = isfinite(self.ours) and (self.ordering is False or not self.as_printed)
        return self.reason if told else ""

    @property
    def key(self) -> Key:
        """Return the key within its method: publication, heading, name, reading."""
        return (self.anchor, self.group, self.name, self.reading)

    @property
    def own(self) -> Ours:
        """Return the computed value of a comparison."""
        return Ours(self.ours, self.ordering, self.seeds)

    def with_ours(self, own: Ours) -> Comparison:
        """Return the comparison with the given computed value."""
        return replace(self, ours=own.value, ordering=own.ordering, seeds=own.seeds)

    def _logarithm(self, ratio: float) -> float:
        base = self.baseline or 1.0
        return log(ratio / base) if ratio > 0 else -inf


@dataclass(frozen=True)
class Flip:
    """A comparison whose ordering depends on the reading.

    Attributes:
        anchor, name: the comparison.
        holds, fails: the readings under which ours orders the two sides as published, and those under which it does not.
    """

    anchor: str
    name: str
    holds: tuple[str, ...]
    fails: tuple[str, ...]


@dataclass(frozen=True)
class ValueComparison:
    """One published value and the computed ones under every reading.

    Attributes:
        first: under the first reading that was computed: name, published value and place.
        by_reading: all of them by reading, the first included.
    """

    first: Comparison
    by_reading: Mapping[str, Comparison]

    @property
    def range(self) -> tuple[float, float] | None:
        """Our least and largest value over the readings; None where there is none."""
        values = [row.ours for row in self.by_reading.values() if isfinite(row.ours)]
        return (min(values), max(values)) if values else None

    @property
    def agreeing(self) -> tuple[int, int]:
        """Under how many readings the same side wins as published, and how many decide a side."""
        told = [row.ordering for row in self.by_reading.values() if row.ordering is not None]
        return sum(told), len(told)


def compared(comparisons: Iterable[Comparison]) -> tuple[ValueComparison, ...]:
    """Return the comparisons of published and computed values, in the order of the first rows, separate per publication."""
    found: dict[tuple[str, str, str], dict[str, Comparison]] = {}
    for row in comparisons:
        found.setdefault((row.anchor, row.group, row.name), {})[row.reading] = row
    return tuple(ValueComparison(next(iter(rows.values())), rows) for rows in found.values())


def flips(comparisons: Iterable[Comparison]) -> tuple[Flip, ...]:
    """Return the comparisons whose ordering holds under some readings and fails under others, in the order of their first row."""
    readings: dict[tuple[str, str, str], dict[bool, list[str]]] = {}
    for each in comparisons:
        if each.ordering is not None:
            readings.setdefault((each.anchor, each.group, each.name), {True: [], False: []})[each.ordering].append(
                each.reading
            )
    return tuple(
        Flip(anchor, name, tuple(found[True]), tuple(found[False]))
        for (anchor, _, name), found in readings.items()
        if all(found.values())
    )


def _decimals(printed: float) -> int:
    """Return the digits after the point of a printed figure."""
    return len(f"{printed:.10f}".rstrip("0").partition(".")[2])
