"""How the published inner search compares with the exact front, and what is found with what the space's own networks reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.contract.quantities import SHARE, Sense
from engines.contract.results import HYPERVOLUME, Curve, Note, Series, Table, TableColumn
from engines.methods.hadas.inner_search import Choices
from engines.methods.hadas.params import Fitness
from engines.methods.hadas.setup import Setup
from engines.search.indicators import coverage, hypervolume, reference_point
from engines.workloads.assumed_chain import assumed_chains, chain_notes
from engines.workloads.network import Network

_EXITS_OF_BRANCHES = "If the network has branches, an exit may read one of them alone."

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
    """Return published search of one backbone against the exact front, choice by choice, for each thing that it ranked exits by."""
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


def chain_notes_of(setup: Setup) -> tuple[Note, ...]:
    """Return a warning where the graph of the one backbone is unknown."""
    return chain_notes(assumed_chains(*given_networks(setup)), _EXITS_OF_BRANCHES)


def given_networks(setup: Setup) -> tuple[Network, ...]:
    """Return the one backbone, if no space is searched."""
    return () if setup.network is None else (setup.network,)


def proof(found: Choices, settings: int, static: tuple[float, float], *, nested: bool) -> Note:
    """Return how good the choices of one backbone are for certain."""
    if found.proven and not nested:
        text = (
            f"Proven: the search evaluated every choice of exits at all {counted(settings)} clock settings. "
            "None is better in accuracy, mean latency and mean energy."
        )
        return Note("proof", "Exact front", text, role="proof")
    if found.proven:
        text = (
            f"Proven: no choice of exits at any of {counted(settings)} clock settings is better in mean "
            "latency and energy. This holds if inputs that are correct at one exit are correct at later "
            "ones."
        )
        return Note("proof", "Exact front", text, role="proof")
    share = share_of(found.points[:, 1:], found.bound, static)
    text = (
        f"Ends are not nested. The front has {100 * share:.1f} % of the hypervolume of a bound on mean "
        f"latency and energy. The gap of {100 * (1 - share):.1f} % may come from the bound or from the "
        "search."
    )
    return Note("proof", "Bound and gap", text, role="proof")


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
    """Return the hypervolume and ratio of dominance (Fig.

    2.4) of two fronts over error, mean latency and mean energy, shape `k x 3` each.
    """
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
