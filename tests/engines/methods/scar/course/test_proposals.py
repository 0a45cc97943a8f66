from __future__ import annotations

from dataclasses import replace
from itertools import islice, product

import numpy as np

from engines.chiplets.problem.decision import validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.methods.scar.course.proposals import build_pools, front_of_independent_windows, propose, proposed_schedules
from engines.running.context import LocalContext
from tests.engines.chiplets.cases import tables
from tests.engines.methods.scar.problems import scar_problem

MODELS = {"a": [[3, 5, 2, 6], [6, 2, 4, 1]], "b": [[1, 4, 4], [3, 2, 2]]}


def pools_of(**params):
    built = tables(MODELS, {"n_splits": 2} | params, batch=4)
    windows = assign_windows(built, 2)
    return built, build_pools(built, [search_greedily(built, windows, Goal(o)) for o in ("edp", "latency", "energy")])


def test_proposed_schedules_are_valid_and_different() -> None:
    built, pools = pools_of()
    found = list(islice(proposed_schedules(pools, LocalContext(scar_problem())), 200))
    assert len(found) == 200 == len(set(found))
    for schedule in found:
        validate(schedule, built)


def test_the_order_depends_on_the_seed_alone() -> None:
    _, pools = pools_of()
    first, again, other = (
        list(islice(proposed_schedules(pools, LocalContext(scar_problem(seed=seed))), 50)) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_it_ends_where_there_is_nothing_new() -> None:
    built = tables({"a": [[1], [1]]}, {"n_splits": 0})
    windows = assign_windows(built, 0)
    pools = build_pools(built, [search_greedily(built, windows, Goal("edp"))])
    found = list(proposed_schedules(pools, LocalContext(scar_problem())))
    assert 1 <= len(found) <= len(pools[0].windows)


def test_without_noise_the_weights_lead_to_both_ends() -> None:
    _, pools = pools_of()
    picks = propose(pools, np.random.default_rng(0), 400)
    latency = sum(pool.latency_s[picks[:, w]] for w, pool in enumerate(pools))
    energy = sum(pool.energy_j[picks[:, w]] for w, pool in enumerate(pools))
    assert latency.min() < latency[energy.argmin()]
    assert energy.min() < energy[latency.argmin()]


def test_the_front_of_independent_windows_equals_brute_force() -> None:
    _, pools = pools_of()
    sums = {}
    for key in product(*(np.flatnonzero(pool.needed == 0).tolist()[:12] for pool in pools)):
        sums[key] = tuple(
            sum(getattr(p, name)[i] for p, i in zip(pools, key, strict=True)) for name in ("latency_s", "energy_j")
        )
    best = {v for v in sums.values() if not any(o[0] <= v[0] and o[1] <= v[1] and o != v for o in sums.values())}
    small = [
        replace(p, windows=p.windows, needed=np.where(np.cumsum(p.needed == 0) <= 12, p.needed, 1)) for p in pools
    ]  # fmt: skip
    found = front_of_independent_windows(small)
    assert {sums[tuple(pick)] for pick in found.tolist()} == best
