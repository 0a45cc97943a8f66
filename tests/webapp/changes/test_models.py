"""Entries of the log."""

from __future__ import annotations

from tests.support.stored_runs import People, finished_run
from webapp.base.actor import command_line
from webapp.changes.service import ChangeQuery, lines, visible_changes
from webapp.comparisons import service as comparisons
from webapp.deletions import service as deletions


def test_the_log_outlives_what_it_is_about(people: People) -> None:
    runs = [finished_run(people), finished_run(people)]
    with command_line() as who:
        who.person = lambda: people.owner
        entries = comparisons.entries_of(people.owner, [{"run": run.pk} for run in runs])
        kept = comparisons.keep(people.owner, "Which?", entries, {})
        comparisons.keep(people.owner, "Which one?", entries, {}, kept)
        deletions.delete(people.owner, "comparison", kept.pk)
    told = list(lines(visible_changes(people.viewer, ChangeQuery(kind="comparison"))))
    assert len(told) == 3 and ("title", "Which?", "Which one?") in told[1].differences
