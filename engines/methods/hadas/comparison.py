"""Comparison of the published inner search with the exact front, of rules with the ideal mapping, and of baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.contract.quantities import SHARE, Sense
from engines.contract.results import HYPERVOLUME, Curve, Note, Series, Table, TableColumn
from engines.methods.hadas.exit_rule_search import MOST_SETS, THRESHOLDS, RuledFront
from engines.methods.hadas.inner_search import Choices
from engines.methods.hadas.params import Fitness
from engines.search.ends.confidence import RULES, Rule
from engines.search.indicators import coverage, hypervolume, reference_point

_NONE_BETTER = "none is better in accuracy, mean latency and mean energy"
_LESS = (0.0, 1.0, 2.0, 5.0)  # points below the network's own end
_ROUNDING = 1e-9
PLANE: tuple[Sense, Sense] = ("minimise", "minimise")
_BEYOND = 1.1
# What the published search ranks exits by; dissimilarity (eq. 2.7) is what its source adds.
TITLES: Mapping[Fitness, str] = {"accuracy": "Without dissimilarity", "dissimilarity": "With dissimilarity"}
SPACE: tuple[Sense, Sense, Sense] = ("minimise", "minimise", "minimise")


def share_of(found: FloatArray, whole: FloatArray, static: tuple[float, float]) -> float:
    """Return the share of a front's hypervolume in mean latency and energy (`k x 2`) that other points reach.

    The corner is a tenth beyond the worst of that front and of the network without exits at the highest clocks (`static`).
    """
    if not len(found) or not len(whole):
        return 0.0
    corner = _BEYOND * np.maximum(whole.max(axis=0), static)
    return hypervolume(found, PLANE, corner) / hypervolume(whole, PLANE, corner)


def published_curve(evaluations: Sequence[int], shares: Mapping[Fitness, Sequence[float]]) -> Curve:
    """Return the share of the exact front that the published search of one backbone reaches, per fitness and evaluation."""
    alone = len(shares) == 1
    return Curve(
        "published-inner", "Published search of exits and clocks against the exact front",
        np.array(evaluations, dtype=np.float64), "Choices evaluated", "",
        tuple(
            Series("Share of the exact hypervolume" if alone else TITLES[fitness], np.array(each), SHARE)
            for fitness, each in shares.items()
        ),
        role="progress", belongs_to=HYPERVOLUME,
    )  # fmt: skip


def proof(found: Choices, settings: int, static: tuple[float, float], *, nested: bool) -> Note:
    """Return the note on the proof of the choices of one backbone."""
    at = f"{counted(settings)} clock settings"
    if found.proven and nested:
        text = f"Proven: no choice of exits at any of {at} is better in mean latency and energy. "
        return _exact(text + "This assumes that what is right at an exit is right at later ones.")
    if found.proven:
        return _exact(f"Proven: the search evaluated every choice of exits at every one of {at}; {_NONE_BETTER}.")
    share = share_of(found.points[:, 1:], found.bound, static)
    text = (
        f"Ends are not nested. The front has {100 * share:.1f} % of the hypervolume of a bound on mean "
        f"latency and energy. The gap of {100 * (1 - share):.1f} % may come from the bound or from the "
        "search."
    )
    return Note("proof", "Bound and gap", text, role="proof")


def ruled_proof(found: RuledFront, settings: int) -> Note:
    """Return the sentence on the evaluated combinations of exits, rules and thresholds."""
    sets = "every set of exits" if found.whole else f"every one of the {MOST_SETS} smallest sets of exits"
    return _exact(
        f"Proven: {sets} under {len(RULES)} rules at {len(THRESHOLDS)} thresholds and {counted(settings)} clock settings was "
        f"evaluated, {counted(found.looked_at)} choices; {_NONE_BETTER}."
    )


def _exact(text: str) -> Note:
    return Note("proof", "Exact front", text, role="proof")


def lost_table(fronts: Mapping[Rule | Literal["ideal"], FloatArray], own_percent: float) -> Table:
    """Return a table of least mean costs at given accuracies, for exit rules and for the ideal exit policy.

    A rule may cost less than the ideal mapping at accuracies that the latter never comes down to: an input that is sure and wrong
    leaves early, where ideally it stays until an end is right.

    Args:
        fronts: rule, or "ideal" -> error, mean latency and mean energy, shape `k x 3`.
        own_percent: accuracy of the network's own end alone, below which and above which is compared.
    """
    highest = {100 * (1 - float(points[:, 0].min())) for points in fronts.values()}
    levels = np.array(sorted({*(own_percent - less for less in _LESS), *highest}, reverse=True))
    columns = [TableColumn("Accuracy, at least", levels, "%")]
    for words, column, unit in (("Energy", 2, "J"), ("Latency", 1, "s")):
        for rule, points in fronts.items():
            accurate = [100 * (1 - points[:, 0]) >= level - _ROUNDING for level in levels]
            least = np.array([points[rows, column].min(initial=np.inf) for rows in accurate])
            least = np.where(np.isfinite(least), least, np.nan)
            title = "ideal mapping" if rule == "ideal" else rule.replace("_", " ")
            columns.append(TableColumn(f"{words}, {title}", least, unit))
    return Table("lost-to-ideal", "Rules against the ideal mapping", tuple(columns))


def inner_table(
    titles: Sequence[str],
    exact: Sequence[Choices],
    published: Mapping[Fitness, Sequence[Choices]],
    static: Sequence[tuple[float, float]],
) -> Table:
    """Return one row per backbone: what the published inner search reaches of the exact front, with and without dissimilarity."""
    columns = [
        TableColumn("Backbone", tuple(titles)),
        TableColumn("Choices on the exact front", np.array([float(len(each.setting)) for each in exact])),
    ]
    for fitness, found in published.items():
        shares = [
            share_of(one.points[:, 1:], best.points[:, 1:], corner)
            for best, one, corner in zip(exact, found, static, strict=True)
        ]
        words = TITLES[fitness].lower()
        columns += [
            TableColumn(f"Choices found {words}", np.array([float(len(each.setting)) for each in found])),
            TableColumn(f"Share of the exact hypervolume {words}", np.array(shares), SHARE),
        ]
    return Table("inner-searches", "Published search of exits and clocks against the exact front", tuple(columns))


def baseline_table(found: FloatArray, baselines: FloatArray, title: str, words: str) -> Table:
    """Return hypervolume and ratio of dominance (Fig. 2.4) of two fronts of error, mean latency, mean energy, `k x 3` each."""
    corner = reference_point(np.concatenate([found, baselines]), SPACE)
    volumes = [hypervolume(each, SPACE, corner) for each in (found, baselines)]
    whole = max(volumes)
    return Table(
        "baselines",
        f"Against {words} with the same search of exits and clocks",
        (
            TableColumn("Front", ("Found", title)),
            TableColumn("Designs", np.array([float(len(found)), float(len(baselines))])),
            TableColumn("Hypervolume, of the larger", np.array([each / whole for each in volumes]), SHARE),
            TableColumn(
                "Trade-offs of the other that it dominates",
                np.array([coverage(found, baselines, SPACE), coverage(baselines, found, SPACE)]),
                SHARE,
            ),
        ),
    )
