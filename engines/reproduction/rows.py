"""Rows of comparisons: a published value by its name in `published.yaml`, and the computed one. The same for every method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan
from pathlib import Path
from typing import Any

from engines.reproduction.comparisons import Along, Comparison, Kind, Test
from engines.reproduction.declarations import checked_row
from engines.reproduction.published_values import published_results


@dataclass(frozen=True)
class PublishedRow:
    """The published side of a row.

    Attributes:
        anchor: the publication.
        value: in `unit`; the lower end where a range is printed, NaN where no number is.
        unit: "x" for a ratio.
        where: place in the publication.
        sources: names of the values that it is, or follows from.
        high: upper end of a range.
    """

    anchor: str
    value: float
    unit: str
    where: str
    sources: tuple[str, ...]
    high: float | None = None


@dataclass(frozen=True)
class Publication:
    """The published values.

    Attributes:
        folder: folder of the method's `published.yaml`.
        anchor: its name there.
    """

    folder: Path
    anchor: str

    @cached_property
    def results(self) -> Mapping[str, Mapping[str, Any]]:
        """Name -> value, unit and place."""
        return published_results(self.folder, self.anchor)

    def value(self, name: str) -> Any:
        """Return a number, a text or a list; an element of a list as "name[place]". Raises KeyError for what is not printed."""
        whole, _, place = name.partition("[")
        value = self.results[whole]["value"]
        return value[int(place.removesuffix("]"))] if place else value

    def printed(self, name: str) -> PublishedRow:
        """Return a number, or a list of two as a range."""
        value, where = self.value(name), str(self.results[name.partition("[")[0]]["where"])
        low, high = value if isinstance(value, list) else (value, None)
        return PublishedRow(
            self.anchor, float(low), self.unit(name), where, (name,), None if high is None else float(high)
        )

    def derived(self, value: float, unit: str, *sources: str) -> PublishedRow:
        """Return the value derived from several published values; its place is that of the first."""
        return PublishedRow(
            self.anchor, float(value), unit, str(self.results[sources[0].partition("[")[0]]["where"]), sources
        )

    def difference(self, name: str, baseline: str) -> PublishedRow:
        """Return the difference of a published value to another one, in the unit of both."""
        return self.derived(round(self.value(name) - self.value(baseline), 10), self.unit(name), name, baseline)

    def quotient(self, name: str, baseline: str) -> PublishedRow:
        """Return the ratio of two published values."""
        return self.derived(self.value(name) / self.value(baseline), "x", name, baseline)

    def unit(self, name: str) -> str:
        """Return the unit of a printed value; "" for a pure number or a text."""
        return str(self.results[name.partition("[")[0]].get("unit") or "")

    def rows(self, group: str, reading: str = "", why: str = "", kind: Kind = "predicted") -> Rows:
        """Return a builder of rows under one heading; its arguments are the defaults of the rows."""
        return Rows(self, group, reading, why, kind)

    def unprinted(self, unit: str, where: str) -> PublishedRow:
        """Return the quantities that the publication mentions without a number."""
        return PublishedRow(self.anchor, nan, unit, where, ())


def row(
    name: str,
    published: PublishedRow,
    ours: float,
    group: str,
    *,
    kind: Kind = "predicted",
    reading: str = "",
    same_side: bool | None = None,
    why: str = "",
    inputs: Sequence[str] = (),
    part_of: tuple[str, str] | None = None,
    along: Along | None = None,
    elsewhere: float = 0.0,
    test: Test | None = None,
    baseline: float | None = None,
    seeds: tuple[float, float] | None = None,
) -> Comparison:
    """Return the computed value next to a published one.

    Args:
        name: name of the compared value, the same under every reading.
        published: the published value.
        ours: in the same unit; NaN where there is none.
        group: heading.
        kind: origin of the computed value.
        reading: under which choices.
        same_side: whether the side that wins as published wins here; None where no side is meant.
        why: why ours may be another value. Rows tell it by one rule, `Comparison.why`: where ours is not the published value
            within 1 % or in its printed digits, or the other side wins.
        inputs: names of published values that went into ours.
        part_of: name of the row that this is a part of, and the part in a word or two.
        along: place on a curve.
        elsewhere: how far ours may be off on another processor, in the unit of the published value.
        test: how the two are compared. Left out: a range where one is printed, a trend where a side is meant and no number is
            printed, an effect where there is a baseline, else a value.
        baseline: value at which there is no effect, or where no side wins. Left out: 1 of a ratio.
        seeds: least and largest value over the seeds whose mean ours is.

    Raises:
        ValueError: the row contradicts what is printed. See `engines.reproduction.declarations`.
    """
    ordering = None if same_side is None or not isfinite(ours) else bool(same_side)
    plain = published.high is None and test is None
    if baseline is None and published.unit == "x" and plain:
        baseline = 1.0
    if test is None:
        trend = not isfinite(published.value) and same_side is not None
        test = (
            "range" if published.high is not None else "trend" if trend else "value" if baseline is None else "effect"
        )
    return checked_row(Comparison(
        name, reading, published.value, float(ours), published.unit, kind, published.anchor, published.where, ordering, why, group,
        published.high, published.sources, tuple(inputs), part_of, along, elsewhere, test, baseline, seeds,
    ))  # fmt: skip


@dataclass(frozen=True)
class Rows:
    """Makes the rows under one heading of what a publication prints.

    Attributes:
        publication: that one.
        group: the heading.
        reading, why, kind: as of `row`, for rows that say nothing else.
    """

    publication: Publication
    group: str
    reading: str = ""
    why: str = ""
    kind: Kind = "predicted"

    def __call__(
        self,
        name: str,
        published: str | PublishedRow,
        ours: float,
        *,
        kind: Kind | None = None,
        reading: str | None = None,
        same_side: bool | None = None,
        why: str | None = None,
        inputs: Sequence[str] = (),
        part_of: tuple[str, str] | None = None,
        along: Along | None = None,
        elsewhere: float = 0.0,
        test: Test | None = None,
        baseline: float | None = None,
        seeds: tuple[float, float] | None = None,
    ) -> Comparison:
        """Return the computed value next to a published one, or next to the one under the name `published`.

        The rest as of `row`.
        """
        printed = self.publication.printed(published) if isinstance(published, str) else published
        kind, reading, why = (
            kind or self.kind,
            self.reading if reading is None else reading,
            self.why if why is None else why,
        )
        return row(
            name,
            printed,
            ours,
            self.group,
            kind=kind,
            reading=reading,
            same_side=same_side,
            why=why,
            inputs=inputs,
            part_of=part_of,
            along=along,
            elsewhere=elsewhere,
            test=test,
            baseline=baseline,
            seeds=seeds,
        )
