"""Exact search of one window: the best segmentation, path and combination, with a proof.

The best mapping is the optimum over all segmentations with at most N_i segments and all paths from the allowed roots
(`window_problem.py`); heuristic 1 (top k) of odema-2024 section 4.4.3 is not used. Where paths were left out for their
number nothing is proven, and the bound is that of a relaxation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.problem.decision import ends_of
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.bounds import relaxed_window_bound
from engines.chiplets.windows.chains import ExactSearch, WindowProblem, build_window_problem, window_options
from engines.chiplets.windows.options import DeadEndError, WindowOption, WindowOptions, WindowProof, best_and_spread
from engines.chiplets.windows.paths import MOST_CHIPLETS_FOR_ALL_PATHS
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.contract.integer_format import counted


def search_window_exactly(
    tables: ScenarioTables,
    ranges: Sequence[LayerRange],
    location: Sequence[int],
    roots: tuple[int, ...],
    goal: Goal,
) -> WindowOptions:
    """Return the best mapping of a window.

    Args:
        tables: the problem.
        ranges: layers of each model in the window.
        location: chiplet that holds each model's activations (`scoring.MEMORY`: none).
        roots: chiplets where a model may start, ascending.
        goal: objective to minimise, by which chiplets are distributed too.

    Raises:
        DeadEndError: no disjoint paths exist at all.
    """
    nodes = provisioned_nodes(tables, ranges, goal)
    problem = build_window_problem(tables, ranges, location, roots, nodes)
    if not problem.possible:
        raise DeadEndError(len(ranges), len(roots))
    search = ExactSearch(problem, goal.value)
    offers, choice = search.run()
    if not len(choice.latency_s):
        raise DeadEndError(len(ranges), len(roots))
    best, order = best_and_spread(choice.latency_s, choice.energy_j, goal)
    value = goal.one(float(choice.latency_s[best]), float(choice.energy_j[best]))
    proven = problem.all_paths and choice.complete
    sources = [(location[r.model],) for r in ranges]
    bound = value if proven else relaxed_window_bound(tables, ranges, sources, nodes, goal)
    options = window_options(offers, choice, (best, *order))
    proof = WindowProof(bound, proven, search.states)
    return WindowOptions(options[0], tuple(options[1:]), tuple(nodes), _notes(tables, problem), proof)


def mappings_by_ends(
    tables: ScenarioTables,
    ranges: Sequence[LayerRange],
    location: Sequence[int],
    roots: tuple[int, ...],
    goal: Goal,
) -> list[WindowOption]:
    """Return a good mapping of a window for every combination of chiplets where its models can end, the best first.

    Args: as of `search_window_exactly`.
    """
    nodes = provisioned_nodes(tables, ranges, goal)
    problem = build_window_problem(tables, ranges, location, roots, nodes, by_end=True)
    if not problem.possible:
        return []
    offers, choice = ExactSearch(problem, goal.value).beam()
    order = np.argsort(goal.value(choice.latency_s, choice.energy_j), kind="stable")
    found: dict[tuple[int, ...], WindowOption] = {}
    for option in window_options(offers, choice, order.tolist()):
        found.setdefault(ends_of(option.window), option)
    return list(found.values())


def mappings_below(
    tables: ScenarioTables,
    ranges: Sequence[LayerRange],
    location: Sequence[int],
    roots: tuple[int, ...],
    goal: Goal,
    ceiling: float,
    most: int,
) -> list[WindowOption] | None:
    """Return all mappings up to a ceiling of the objective that no other on the same chiplets equals or beats, the best first.

    Args: as of `search_window_exactly`, and
        ceiling: largest value; mappings above it are left out.
        most: largest number of states of a step.

    Returns:
        None if there are too many states, or paths were left out for their number.
    """
    nodes = provisioned_nodes(tables, ranges, goal)
    problem = build_window_problem(tables, ranges, location, roots, nodes)
    found = (
        ExactSearch(problem, goal.value).all_below(ceiling, most) if problem.possible and problem.all_paths else None
    )
    if found is None:
        return None
    offers, choice = found
    order = np.argsort(goal.value(choice.latency_s, choice.energy_j), kind="stable")
    return window_options(offers, choice, order.tolist())


def _notes(tables: ScenarioTables, problem: WindowProblem) -> tuple[str, ...]:
    if tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS:
        return ("a spread of paths was considered instead of all (path limit of large packages).",)
    return tuple(
        f"{tables.models[model.layers.model].title}: only {counted(count)} paths of {length} chiplets were considered (path limit)."
        for model in problem.models
        for length, count in model.paths.cut_lengths
    )
