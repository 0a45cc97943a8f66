"""Designs made by hand, kept among those of a run that is done; scored in the real child."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from webapp.runs.errors import RunStateError
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.design_variants import DesignEdit, Population, try_edit
from webapp.runs.results.own_designs import KeptDesign, keep_edited
from webapp.teams.permissions import NotAllowed

MOVES = [("x.0", "0.0"), ("x.1", "1.0")]


def few() -> Population:
    return Population([3, 1], [0, 1, 2, 3])


def test_moves_are_made_of_a_stored_design(run: Run) -> None:
    as_stored = try_edit(run, 3, [], few)
    assert as_stored.columns["energy_j"] == readers.load_designs(run).columns["energy_j"][3]
    assert as_stored.boards is not None and len(as_stored.boards) == 3 and as_stored.taken == 0
    moved = try_edit(run, 3, [*MOVES, ("x.2", "2.0")], few)
    assert moved.taken == 2 and moved.why_not == "three numbers from 0 to 1"
    assert moved.decision["x"][:2] == [0.0, 1.0] and len(moved.told) == 2


def test_what_is_kept_stands_among_the_designs_as_made_by_hand_and_counts_for_no_front(
    people: People, run: Run
) -> None:
    before = readers.load_designs(run)
    quantities = readers.quantities_of(run)
    kept = keep_edited(people.editor, run, 3, MOVES, few)
    assert kept == KeptDesign(len(before), "By hand 1", True)
    run.refresh_from_db()
    after = readers.load_designs(run)
    assert run.design_count == len(after) == len(before) + 1 == readers.stored_count(run.pk)
    assert (after.origin[-1], after.label[-1]) == ("user", "By hand 1")
    assert readers.load_decision(run, kept.number)["x"][:2] == [0.0, 1.0]
    assert after.front(quantities).tolist() == before.front(quantities).tolist()
    assert readers.explain_design(run, kept.number)
    assert "Made by hand by eve from design 3" in readers.log_lines(run)[-1].text
    # The same again is the same design; another has the next name.
    assert keep_edited(people.editor, run, 3, MOVES, few) == KeptDesign(kept.number, "By hand 1", False)
    run.refresh_from_db()
    assert keep_edited(people.editor, run, kept.number, [("x.2", "1.0")], few).label == "By hand 2"


def test_a_design_that_the_search_found_is_not_kept_twice(
    people: People, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {name: float(column[5]) for name, column in readers.load_designs(run).columns.items()}
    reached = DesignEdit((), values, readers.load_decision(run, 5), taken=1)
    monkeypatch.setattr("webapp.runs.results.own_designs.try_edit", lambda *given: reached)
    assert keep_edited(people.editor, run, 3, MOVES, few) == KeptDesign(5, "", False)
    assert readers.stored_count(run.pk) == run.design_count


def test_what_was_not_moved_is_not_kept(people: People, run: Run) -> None:
    with pytest.raises(ProblemError, match="at least one"):
        keep_edited(people.editor, run, 3, [("x.0", "2.0")], few)


def test_only_editors_keep_and_only_in_a_run_that_is_done(people: People, run: Run) -> None:
    with pytest.raises(NotAllowed):
        keep_edited(people.viewer, run, 3, MOVES, few)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.STOPPED)
    run.refresh_from_db()
    with pytest.raises(RunStateError, match="must be done"):
        keep_edited(people.editor, run, 3, MOVES, few)
