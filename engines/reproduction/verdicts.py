"""What a published value beside ours amounts to, by one rule for every method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import isfinite, log
from typing import Literal

from engines.reproduction.comparisons import AS_PRINTED_WITHIN, Compared, Comparison, Key

Verdict = Literal["exact", "arithmetic", "holds", "same side", "fit only", "differs", "no number", "not computed"]
# As far as figures of a model of somebody else's machine may be off; the same factor up and down.
WITHIN = 1.25
AGREEING: tuple[Verdict, ...] = ("exact", "holds", "same side")  # of what was not fitted to such values
VERDICTS: Mapping[str, str] = {
    "exact": f"the method's algorithm on printed inputs: within {100 * AS_PRINTED_WITHIN:g} % or the same in the printed digits",
    "holds": (
        f"predicted, not fitted to such values: within a factor of {WITHIN:g} (a ratio's distance from 1 as well), or within both "
        "ends of a published range, and the same side wins where sides are meant"
    ),
    "same side": "no number is printed, but which side wins is said or drawn, and it wins here too; by how much is not compared",
    "fit only": f"within a factor of {WITHIN:g}, but our model was fitted to such values",
    "differs": "further off, or the other side wins",
    "arithmetic": "the publication's own figures put together, as a check of its text: tests nothing of ours and is not counted",
    "no number": "the publication prints no number, or the reading gives none",
    "not computed": "not computed yet",
}


def verdict_of(row: Comparison, computed: bool = True) -> Verdict:
    """What the comparison amounts to.

    Args:
        row: the comparison. Where no number was published, only the side that wins is compared.
        computed: whether ours was computed at all.
    """
    if not computed:
        return "not computed"
    if not isfinite(row.ours) or (not isfinite(row.published) and row.ordering is None):
        return "no number"
    if row.kind == "arithmetic":
        return "arithmetic"
    if row.ordering is False or not _near(row):
        return "differs"
    if not isfinite(row.published):
        return "same side"
    return {"exact": "exact", "fitted": "fit only", "predicted": "holds"}[row.kind]  # type: ignore[return-value]


def verdict_counts(found: Iterable[Compared], computed: Collection[Key]) -> dict[str, int]:
    """How many comparisons have each verdict under their first reading, in the order of `VERDICTS`; zeros are left out.

    See `headline_counts` for what stands for a method.

    Args:
        found: the comparisons over all readings.
        computed: keys of those that were computed.
    """
    counts: Counter[str] = Counter(verdict_of(each.first, each.first.key in computed) for each in found)
    return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}


def headline_counts(found: Iterable[Compared], computed: Collection[Key]) -> dict[str, int]:
    """The same without arithmetic on the publication's own figures, computed or not: it tells nothing about the method here."""
    return verdict_counts((each for each in found if each.first.kind != "arithmetic"), computed)


def _near(row: Comparison) -> bool:
    if not isfinite(row.published):
        return True
    if row.published == 0:
        return row.ours == 0
    if row.kind == "exact" or row.published_high is not None:
        return row.as_printed
    return 1 / WITHIN <= row.ratio <= WITHIN and (row.in_printed_digits or _same_effect(row))


def _same_effect(row: Comparison) -> bool:
    """Whether a ratio is as far from 1 as the published one, in logarithms, so that it may be told either way round.

    1.25 times as much is a gain of a quarter; no gain at all is within a factor of 1.25 of it.
    """
    if row.unit != "x" or row.published in (0, 1) or row.ours <= 0:
        return True
    return 1 / WITHIN <= log(row.ours) / log(row.published) <= WITHIN
