"""Which differences between the groups of a study are more than chance, in words and pair by pair. No callbacks."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from dash import html
from dash.development.base_component import Component

from engines.search.indicators import distinct_count
from engines.search.significance import DIGITS, DRAWN, SIGNIFICANT, Comparison, rounded, runs_to_decide
from frontend.components.card import card_title
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import MISSING, in_sentence, integer, percent, si, significant
from frontend.theme import RunStyle
from webapp.studies.statistics import StudyStatistics

MOST_PAIRS = 30


def group_letter(style: RunStyle | None) -> Component | None:
    """Return the letter of a group on its colour; None where it has none."""
    return html.Span(style.letter, className=f"run-letter run-{style.letter.lower()}") if style else None


def judgement(found: StudyStatistics, titles: Sequence[str], styles: Sequence[RunStyle | None]) -> list[Component]:
    """Return the result of the tests in words, then pair by pair; no test where all runs have equal results."""
    same = equal_sentence(found)
    if same and found.equal_values:
        return [html.P(same, className="sm")]
    if not found.pairs:
        return [html.Span("A test needs at least two groups.", className="sm t3")]
    parts: list[Component] = [card_title("Significance of the differences"), html.P(verdict(found), className="sm")]
    parts += [notice(words) for words in (same, too_few(found), no_spread(found)) if words]
    shown = sorted(found.pairs, key=lambda pair: (pair.adjusted, -abs(pair.effect - 0.5)))[:MOST_PAIRS]
    columns = [Column("Better"), Column("than"), Column("Chance to be better", number=True), Column("Effect")]
    columns += [Column("p", number=True), Column("p, corrected", number=True), Column("Verdict")]
    rows = [_pair_row(pair, titles, styles) for pair in shown]
    parts.append(html.Div(plain_table(columns, rows, tight=True), className="table-scroll study-pairs"))
    if len(shown) < len(found.pairs):
        parts.append(html.Span(f"The first {len(shown)} of {integer(len(found.pairs))} pairs.", className="xs t3"))
    parts.append(
        html.P(
            "Mann and Whitney's test, two-sided, with ties counted and corrected for all pairs after Holm. "
            f"Values that agree in {DIGITS} digits are equal. The chance to be better is Vargha and "
            "Delaney's A. 50 % is no difference, from 56 % small, from 64 % medium, from 71 % large.",
            className="xs t3",
        )
    )
    return parts


def _pair_row(pair: Comparison, titles: Sequence[str], styles: Sequence[RunStyle | None]) -> list[Component | str]:
    better, other = (pair.first, pair.second) if pair.effect >= 0.5 else (pair.second, pair.first)
    names = [html.Span([group_letter(styles[at]), titles[at]], className="row g4") for at in (better, other)]
    words = "significant" if pair.significant else "not shown" if pair.decidable else "too few runs"
    effect = max(pair.effect, 1 - pair.effect)
    return [*names, percent(effect), pair.size, p_words(pair.p_value), p_words(pair.adjusted), words]


def p_words(value: float) -> str:
    """Return a p-value with two digits; small ones as "< 0.001"."""
    if isnan(value):
        return MISSING
    return "< 0.001" if value < 0.001 else significant(value, 2)


def verdict(found: StudyStatistics) -> str:
    """Return the result of the tests in two or three sentences."""
    significant_pairs = [pair for pair in found.pairs if pair.significant]
    count = len(found.pairs)
    if significant_pairs:
        of = (
            f"{integer(len(significant_pairs))} of {integer(count)} differences are"
            if count > 1
            else "The difference is"
        )
        words = f"{of} significant at {percent(SIGNIFICANT)}."
    else:
        of = f"None of {integer(count)} differences is" if count > 1 else "The difference is not"
        words = (
            f"{of} significant at {percent(SIGNIFICANT)}, so this study cannot rank the groups. "
            "Add seeds to detect smaller differences."
        )
    if count > 1:
        error = found.all_same_error
        drawn = f", ± {significant(error, 1)} as estimated from {integer(DRAWN)} random arrangements" if error else ""
        words += f" All groups together: p {p_words(found.all_same)} (Kruskal and Wallis{drawn})."
    return words


def equal_sentence(found: StudyStatistics) -> str:
    """Return a sentence where all runs found the same front or have the same value; "" where they differ or are fewer than two."""
    runs = [each for group in found.groups for each in group.runs]
    if runs and all(each.found_nothing for each in runs):
        return "No ended run found a design within the limits, so there is nothing to compare."
    if found.equal_fronts:
        count = distinct_count(runs[0].front)
        points = "one trade-off" if count == 1 else f"{integer(count)} trade-offs"
        words = f"All {integer(len(runs))} runs found the same front ({points})"
        return f"{words}: there is no difference to test." if found.equal_values else f"{words}."
    values = [value for group in found.groups for value in group.values]
    if not values or not found.equal_values:
        return ""
    title, value = in_sentence(found.measure.title), si(values[0], found.measure.unit, 4)
    return f"All {integer(len(values))} runs have the same {title} ({value}): there is no difference to test."


def too_few(found: StudyStatistics) -> str:
    """Return a sentence where no outcome of so few runs could have been significant; "" where it could."""
    undecidable = [pair for pair in found.pairs if not pair.decidable]
    if not undecidable:
        return ""
    needed = runs_to_decide(len(found.pairs))
    which = (
        "any of these pairs" if len(undecidable) == len(found.pairs) else f"{integer(len(undecidable))} of these pairs"
    )
    least = min(pair.least_possible for pair in undecidable)
    return (
        f"Too few seeds to conclude anything about {which}. Even if every run of one group were better than "
        f"all of the other, p could not be below {p_words(least)}. Use at least {needed} runs per group."
    )


def no_spread(found: StudyStatistics) -> str:
    """Return a sentence where no group's runs differ from each other: they are one result several times, not several results.

    "" where a run is missing: it might have come out differently.
    """
    groups = [rounded(values) for values in found.samples if len(values) > 1]
    missing = any(group.found_nothing or group.others for group in found.groups)
    if missing or not groups or any(len(set(values)) > 1 for values in groups):
        return ""
    return (
        "Within every group all runs have the same result: the seed has no effect here. One run per group "
        "is enough, and the test adds no information."
    )
