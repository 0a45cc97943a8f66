"""Verdicts on published and computed values, decided here for every method by the kind and the test of the row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Literal

from engines.reproduction.comparisons import AS_PRINTED_WITHIN, Comparison, Key, Kind, ValueComparison

Verdict = Literal[
    "agrees",
    "fitted",
    "differs (explained)",
    "differs (unexplained)",
    "same direction",
    "opposite direction",
    "undecided",
    "cross-check agrees",
    "cross-check differs",
    "not counted",
    "not comparable",
    "not computed",
]
Fact = Literal["value", "trend", "cross-check", "none"]
# As far as figures of a model of somebody else's device may be off; the same factor up and down.
WITHIN = 1.25
NOT_COUNTED: tuple[Kind, ...] = ("arithmetic", "constant", "repeated")
FITTED: tuple[Kind, ...] = ("fitted", "chosen")
DIFFERS: tuple[Verdict, ...] = ("differs (explained)", "differs (unexplained)")
VERDICTS: Mapping[Verdict, str] = {
    "agrees": (
        f"The computed value has no fitted parameter and is within a factor of {WITHIN:g}. An effect is "
        "compared by its distance from the baseline. A bound must be met, a range must contain the value, "
        "and the winner must be the same. An algorithm of the method on published inputs must be within "
        f"{100 * AS_PRINTED_WITHIN:g} %."
    ),
    "fitted": "The same, but this value was used for fitting, or for choosing a form or a reading.",
    "differs (explained)": "Further off, or the other side wins, for a reason that the page names.",
    "differs (unexplained)": "Further off, or the other side wins, for no known reason.",
    "same direction": "A trend: the publication gives no number, and the same method wins here. The size is not compared.",
    "opposite direction": "A trend: the publication prints no number, and the other side wins here.",
    "undecided": "The computed value is close to the threshold, the bound or the factor. Another seed or processor may pass it.",
    "cross-check agrees": f"Within a factor of {WITHIN:g} of a simulator that was run for this product. No publication prints it.",
    "cross-check differs": "Further off from a simulator that was run for this product.",
    "not counted": (
        "Published values that form one line, a typed-in constant, or a fact that another row states. This "
        "tests nothing."
    ),
    "not comparable": "The publication prints no number, or zero, or the reading gives none.",
    "not computed": "Not computed yet.",
}


def fact_of(row: Comparison) -> Fact:
    """Return as what a row is counted: a published value, a trend, a cross-check, or not at all."""
    if row.kind in NOT_COUNTED:
        return "none"
    if row.kind == "cross-check":
        return "cross-check"
    return "trend" if row.test == "trend" else "value"


def verdict_of(row: Comparison, computed: bool = True) -> Verdict:
    """Return the verdict of the comparison.

    Args:
        row: the comparison.
        computed: whether ours was computed at all.
    """
    if not computed:
        return "not computed"
    fact = fact_of(row)
    if fact == "none":
        return "not counted"
    if not _comparable(row):
        return "not comparable"
    if row.test in ("trend", "at least", "at most") and row.within_noise:
        return "undecided"
    if fact == "trend":
        return "same direction" if row.ordering else "opposite direction"
    agrees = row.ordering is not False and _near(row)
    if agrees and not all(_near(replace(row, ours=seed)) for seed in row.seeds or ()):
        return "undecided"  # one seed more could end the agreement
    if fact == "cross-check":
        return "cross-check agrees" if agrees else "cross-check differs"
    if agrees:
        return "fitted" if row.kind in FITTED else "agrees"
    return "differs (explained)" if row.reason else "differs (unexplained)"


def verdict_counts(
    found: Iterable[ValueComparison], computed: Collection[Key], fact: Fact | None = None
) -> dict[Verdict, int]:
    """Return verdict -> number of comparisons under their first reading, in the order of `VERDICTS`, without zeros.

    Args:
        found: the comparisons over all readings.
        computed: keys of those that were computed.
        fact: only those that are counted as this; None for all.
    """
    chosen = (each.first for each in found if fact in (None, fact_of(each.first)))
    counts = Counter(verdict_of(row, row.key in computed) for row in chosen)
    return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}


def headline_counts(found: Iterable[ValueComparison], computed: Collection[Key]) -> dict[Verdict, int]:
    """Return the counts that stand for a method: values and trends of its publications, without cross-checks and arithmetic."""
    rows = [each for each in found if fact_of(each.first) in ("value", "trend")]
    return verdict_counts(rows, computed)


def _comparable(row: Comparison) -> bool:
    """Return whether there are two numbers, or a side; a published zero has no ratio, unless it is an effect or a bound."""
    if not isfinite(row.ours):
        return False
    if row.test == "trend":
        return row.ordering is not None
    return isfinite(row.published) and (row.published != 0 or row.test != "value")


def _near(row: Comparison) -> bool:
    if row.test in ("range", "at least", "at most") or row.kind == "exact":
        return row.as_printed
    if row.published == 0:
        return row.in_printed_digits
    if not _within(row.ratio):
        return False
    theirs, own = row.effects
    return row.baseline is None or row.in_printed_digits or (theirs != 0 and _within(own / theirs))


def _within(ratio: float) -> bool:
    return 1 / WITHIN <= ratio <= WITHIN
