"""The usual networks can all be run, and no network is both fitted and never fitted."""

from __future__ import annotations

import pytest

from engines.cost.soc.operations import operation_table
from engines.workloads.loader import builtin_network
from engines.workloads.runnable.build import runnable_network, unwritten
from webapp.measuring.calibration_networks import CANDIDATES, FITTED, NEVER_FITTED, QUICK_FITTED, QUICK_NEVER_FITTED


def kinds(slug: str) -> set[str]:
    return set(operation_table(builtin_network(slug).operations).running_kinds)


@pytest.mark.parametrize(("fitted", "never"), [(FITTED, NEVER_FITTED), (QUICK_FITTED, QUICK_NEVER_FITTED)])
def test_what_is_predicted_has_only_kinds_that_are_fitted(fitted: tuple[str, ...], never: tuple[str, ...]) -> None:
    assert not set(fitted) & set(never)
    known = set().union(*map(kinds, fitted))
    assert {slug: kinds(slug) - known for slug in never if kinds(slug) - known} == {}
    for slug in (*fitted, *never):
        assert runnable_network(builtin_network(slug)).weights_bytes < 1e9
    assert any("softmax" in kinds(slug) for slug in (*fitted, *never)), "transformers are among them"


def test_a_file_can_be_written_of_every_candidate() -> None:
    assert len(set(CANDIDATES)) == len(CANDIDATES)
    assert {slug: found for slug in CANDIDATES if (found := unwritten(builtin_network(slug)))} == {}
