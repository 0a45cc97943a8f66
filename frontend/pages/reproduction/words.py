"""Words, chips and addresses that the pages about reproductions share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from urllib.parse import urlencode

from dash.development.base_component import Component

from engines.reproduction.comparisons import Comparison, Key, Kind, ValueComparison
from engines.reproduction.reproductions import headline_of
from engines.reproduction.verdicts import VERDICTS, Verdict, verdict_of
from frontend.components.chip import Tone, chip
from frontend.figures.numbers import MISSING, duration, many, significant
from webapp.reproductions.service import ReproductionSummary

COUNTED = ("layers", "changes", "mappings", "points")  # whole numbers, named by their rows
TONES: Mapping[str, Tone] = {
    "agrees": "good",
    "fitted": "warn",
    "differs (explained)": "bad",
    "differs (unexplained)": "bad",
    "same direction": "good",
    "opposite direction": "bad",
    "undecided": "warn",
    "cross-check agrees": "plain",
    "cross-check differs": "plain",
    "not counted": "plain",
    "not comparable": "plain",
    "not computed": "line",
}
KINDS: Mapping[Kind, str] = {
    "exact": "the method's algorithm on published inputs",
    "predicted": "predicted, without such values",
    "fitted": "fitted to such values",
    "chosen": "of a form or reading selected by this value",
    "cross-check": "compared with a simulator that was run for this product",
    "arithmetic": "arithmetic on published values",
    "constant": "a typed-in constant",
    "repeated": "a fact that another row states",
}


@dataclass(frozen=True)
class ReproductionQuery:
    """The query of the address.

    Attributes:
        table: "publication/heading" of one published table; "" for all.
        verdict: one verdict; "" for all.
    """

    table: str = ""
    verdict: str = ""

    def href(self, method: str, **changes: str) -> str:
        """Return the address of the page of a method with this, changed."""
        wanted = {name: value for name, value in vars(replace(self, **changes)).items() if value}
        return f"/reproductions/{method}" + (f"?{urlencode(wanted)}" if wanted else "")


def kinds_words(kinds: Sequence[Kind]) -> str:
    """Return the origin of the values of a table, with counts if it differs between values."""
    counted = Counter(kinds)
    if len(counted) == 1:
        return f"computed: {KINDS[kinds[0]]}"
    return "ours: " + "; ".join(f"{count} {KINDS[kind]}" for kind, count in counted.items())


def table_of(row: Comparison) -> str:
    """Return the published table of a comparison, as in the address."""
    return f"{row.anchor}/{row.group}"


def verdict_under_default(each: ValueComparison, computed: Collection[Key]) -> Verdict:
    """Return the verdict under the first reading."""
    return verdict_of(each.first, each.first.key in computed)


def verdict_chip(verdict: Verdict) -> Component:
    """Return a verdict; the rule behind it on hover."""
    return chip(verdict, tone=TONES[verdict], title=VERDICTS[verdict])


def short_rule(verdict: Verdict) -> str:
    """Return the first sentence of the rule of a verdict."""
    return VERDICTS[verdict].partition(". ")[0].removesuffix(".")


def comparison_note(row: Comparison) -> str:
    """Return the note on the comparison of a row, if it is not a ratio, and on the spread of the computed value over seeds."""
    notes = []
    if row.test == "effect" and row.unit != "x" and row.baseline:
        notes.append(f"compared by the distance from {value_words(row.baseline, row.unit)}")
    if row.seeds:
        notes.append(f"computed over seeds: {significant(row.seeds[0])} to {value_words(row.seeds[1], row.unit)}")
    return " · ".join(notes)


def value_words(value: float, unit: str) -> str:
    """Return a value with its unit; "–" where there is none."""
    if not isfinite(value):
        return MISSING
    if unit in COUNTED:
        return f"{value:.0f}"
    shown = significant(value)
    return f"{shown}\u00a0×" if unit == "x" else f"{shown}\u00a0{unit}".rstrip()


def published_words(row: Comparison, write: Callable[[float, str], str] = value_words) -> str:
    """Return the published value; a bound as one, a range with both ends."""
    if row.published_high is None:
        bound = f"{row.test} " if row.test in ("at least", "at most") else ""
        return bound + write(row.published, row.unit)
    return f"{significant(row.published)} to {write(row.published_high, row.unit)}"


def number_words(value: float, unit: str) -> str:
    """Return the same without its unit, for a column of one unit."""
    return f"{value:.0f}" if isfinite(value) and unit in COUNTED else significant(value)


def unit_words(unit: str) -> str:
    """Return a unit as people read it."""
    return "×" if unit == "x" else unit


def facts(found: ReproductionSummary) -> list[Component]:
    """Return site, time and versions of the computed values, those of this site first."""
    if not found.origins:
        return [chip("not computed yet", tone="line")]
    counts = Counter(id(made) for made in found.made.values())
    several = len(found.origins) > 1 or len(found.made) < len(found.rows)
    shown: list[Component] = []
    for made in found.origins:
        share = f"{counts[id(made)]} of {many(len(found.rows), 'value')}: " if several else ""
        took = f" in {duration(made.duration_s)}" if made.duration_s is not None else ""
        shown.append(chip(f"{share}{made.words}{took}", tone="line"))
        if made.outdated:
            shown.append(chip("out of date: the engine changed since", tone="warn", icon="alert-triangle"))
    return shown


def headline(found: ReproductionSummary, rows: Sequence[ValueComparison]) -> ValueComparison:
    """Return the comparison that represents the method."""
    name = headline_of(found.engine)
    return next(each for each in rows if each.first.name == name)


def side_words(row: Comparison) -> str:
    """Return whether the same side wins."""
    return "the same method wins as published" if row.ordering else "another method wins"
