"""Parts of a network, numbered anew."""

from __future__ import annotations

from engines.workloads.loader import load_network
from engines.workloads.parts import kept_operations, with_branch
from tests.engines.methods.split_network.problems import branched

OPERATIONS = load_network(branched().content).operations  # stem, left.1, left.2, right, add, exit


def test_what_stays_reads_by_its_new_numbers() -> None:
    found = kept_operations(OPERATIONS, {0, 3})
    assert [(each.index, each.name, each.reads) for each in found] == [(0, "stem", None), (1, "right", (0,))]


def test_what_read_the_one_before_still_does() -> None:
    found = kept_operations(OPERATIONS, {0, 1, 2})
    assert [each.reads for each in found] == [None, (0,), None]
    assert kept_operations(OPERATIONS, range(6)) == OPERATIONS


def test_what_reads_something_that_goes_reads_an_input() -> None:
    assert [each.reads for each in kept_operations(OPERATIONS, {2})] == [()]


def test_a_branch_follows_and_begins_at_its_operation() -> None:
    branch = kept_operations(OPERATIONS, {1, 2})
    found = with_branch(OPERATIONS[:2], 0, branch)
    assert [(each.index, each.name, each.reads) for each in found[2:]] == [(2, "left.1", (0,)), (3, "left.2", None)]
