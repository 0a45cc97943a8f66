"""What a publication says of networks that it trained on data which are not here, beside networks of our own on other data.

No number is compared: a row tells which side wins as published, and whether it wins here too. Ours is the mean over seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import Publication

Found = Mapping[str, FloatArray]  # name of a value -> one per seed
Measure = Callable[[Found], float]


@dataclass(frozen=True)
class Trend:
    """What is said, and where it would be seen in ours.

    Attributes:
        name, unit, where: of the row; a ratio has the unit "x".
        published: what the publication says, in words.
        ours: of the values of all seeds.
        wins: whether such a value is on the published side.
        elsewhere: how far ours may be off on another processor, where a training ends elsewhere.
    """

    name: str
    unit: str
    where: str
    published: str
    ours: Measure
    wins: Callable[[float], bool]
    elsewhere: float


def trend_rows(
    publication: Publication, data: str, trends: Sequence[Trend], runs: Sequence[Mapping[str, float]]
) -> Iterator[Comparison]:
    """A row for each trend.

    Args:
        publication: that says it.
        data: what ours were trained on, and how, in a sentence; stands in the reason of every row.
        trends: what is said.
        runs: values by name, of each seed.
    """
    found = {name: np.array([run[name] for run in runs], dtype=np.float64) for name in runs[0]}
    for each in trends:
        ours = each.ours(found)
        rows = publication.rows("Trends, on networks trained here", why=f"Published: {each.published} {data}")
        printed = publication.unprinted(each.unit, each.where)
        yield rows(each.name, printed, ours, same_side=each.wins(ours), elsewhere=each.elsewhere)


def ratio(over: str, under: str) -> Measure:
    """Geometric mean of one value over another."""
    return lambda found: float(np.exp(np.mean(np.log(found[over] / found[under]))))


def mean(name: str) -> Measure:
    """Of a value."""
    return lambda found: float(found[name].mean())


def gain(of: str, over: str) -> Measure:
    """Mean of a value less another."""
    return lambda found: float((found[of] - found[over]).mean())


def above(bound: float) -> Callable[[float], bool]:
    """Whether a value is larger."""
    return lambda ours: ours > bound


def below(bound: float) -> Callable[[float], bool]:
    """Whether a value is smaller."""
    return lambda ours: ours < bound
