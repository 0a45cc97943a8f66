"""Bounds of packages: what they say is never passed."""

import numpy as np

from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.package_bounds import best_of, bounds_of
from engines.methods.neksus.scoring import columns_of
from engines.search.strategies import Exhaustive
from tests.engines.methods.neksus.problems import neksus_problem


def test_no_package_passes_its_bounds() -> None:
    instance = instance_of(neksus_problem())
    designs = Exhaustive(instance.space, 1).designs()[::7][:40]
    bounds, found = bounds_of(instance, designs), columns_of(instance, designs)
    for name in ("energy_j_per_bit", "latency_s"):
        assert (bounds[name] <= found[name]).all() and (bounds[name] > 0).all()
    assert (bounds["frames_in_deadline_fraction"] >= found["frames_in_deadline_fraction"]).all()
    for name in ("cost_usd", "micro_bumps"):
        np.testing.assert_array_equal(bounds[name], found[name])
    assert best_of(instance) <= found["latency_s"].min()
