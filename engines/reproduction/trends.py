"""Trends: statements of a publication on networks trained on data that are not here, compared with networks on other data.

Where no number is printed, a row is a trend: it says which side wins as published, and whether it wins here too. Where a number is
printed, the row compares it. Ours is the mean over seeds; its least and largest value over them stand next to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.reproduction.comparisons import Comparison, Kind, Test
from engines.reproduction.rows import Publication, PublishedRow

Found = Mapping[str, FloatArray]  # name of a value -> one per seed
Measure = Callable[[Found], float]


@dataclass(frozen=True)
class Trend:
    """A published statement, and the values here that would show it.

    Attributes:
        name, unit, where: name, unit and place of the row; a ratio has the unit "x".
        published: statement of the publication in words, if it gives no number.
        ours: of the values of all seeds.
        side, baseline: the published side of the value at which no side wins.
        elsewhere: how far ours may be off on another processor, where a training ends elsewhere.
    """

    name: str
    unit: str
    where: str
    published: str
    ours: Measure
    side: Literal["above", "below"]
    baseline: float
    elsewhere: float


@dataclass(frozen=True)
class TrainedValue:
    """A published number next to a computed one, of other networks on other data.

    Attributes:
        name: name of the row.
        printed: the number.
        published: statement of the publication in words.
        ours: of the values of all seeds.
        elsewhere: as of `Trend`.
        kind: "repeated" where other rows state the same fact.
        test: "at most" or "at least" of a bound; None as of `engines.reproduction.rows.row`.
    """

    name: str
    printed: PublishedRow
    published: str
    ours: Measure
    elsewhere: float
    kind: Kind = "predicted"
    test: Test | None = None


def trend_rows(
    publication: Publication, data: str, said: Sequence[Trend | TrainedValue], runs: Sequence[Mapping[str, float]]
) -> Iterator[Comparison]:
    """Yield a row for each statement of the publication.

    Args:
        publication: publication that states it.
        data: what ours were trained on, and how, in a sentence; stands in the reason of every row.
        said: trends and printed values.
        runs: values by name, of each seed.
    """
    found = {name: np.array([run[name] for run in runs], dtype=np.float64) for name in runs[0]}
    each_seed = [{name: values[place : place + 1] for name, values in found.items()} for place in range(len(runs))]
    for each in sorted(said, key=lambda one: isinstance(one, Trend)):  # one heading after the other
        ours, alone = each.ours(found), [each.ours(one) for one in each_seed]
        why, seeds = f"Published: {each.published} {data}", (min(alone), max(alone))
        if isinstance(each, Trend):
            rows = publication.rows("Trends, on networks trained here", why=why)
            printed = publication.unprinted(each.unit, each.where)
            wins = ours > each.baseline if each.side == "above" else ours < each.baseline
            yield rows(
                each.name, printed, ours, same_side=wins, elsewhere=each.elsewhere, test="trend", baseline=each.baseline,
                seeds=seeds,
            )  # fmt: skip
        else:
            rows = publication.rows("Published values, on networks trained here", why=why, kind=each.kind)
            yield rows(each.name, each.printed, ours, elsewhere=each.elsewhere, test=each.test, seeds=seeds)


def ratio(over: str, under: str) -> Measure:
    """Return the geometric mean of one value over another."""
    return lambda found: float(np.exp(np.mean(np.log(found[over] / found[under]))))


def mean(name: str) -> Measure:
    """Return the mean of a value over the runs."""
    return lambda found: float(found[name].mean())


def gain(of: str, over: str) -> Measure:
    """Return the mean of a value less another."""
    return lambda found: float((found[of] - found[over]).mean())
