from __future__ import annotations

from typing import Any

from frontend.ids.edit import EditIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel, values
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.runs.results import readers

MOVES = [["x.0", "0.0"], ["x.1", "1.0"]]


def moved(ask: Ask, user: Any, run: Run, moves: Any, n: int = 1) -> Any:
    given = values(run, **{f"{EditIds.ASKED}.data": {"n": n, "moves": moves}})
    return ask(user, f"{EditIds.SAID}.children", given, f"{EditIds.ASKED}.data").json()["response"]


def test_the_tab_is_there_before_its_boards(people: People, run: Run, ask: Ask) -> None:
    content = panel(ask, people.viewer, run, "edit")
    assert "Edit Design 0003" in content and "edit-boards" in content and "'design': 3" in content


def test_a_design_comes_with_its_boards_and_after_moves_with_figures_and_words(
    people: People, run: Run, ask: Ask
) -> None:
    first = moved(ask, people.editor, run, [])
    told = first[EditIds.ANSWERED]["data"]
    assert (told["n"], told["taken"], len(told["boards"])) == (1, 0, 3)
    assert "Drag a piece" in first[EditIds.SAID]["children"]
    then = moved(ask, people.editor, run, MOVES, n=2)
    shown = str(then[EditIds.FIGURES]["children"])
    assert then[EditIds.ANSWERED]["data"]["taken"] == 2
    assert then[EditIds.SAID]["children"].startswith("X: no. 2") and "In all: " in then[EditIds.SAID]["children"]
    for words in ("Edited", "Proven bound on energy", "Gap before", "Moves", "Keep as my design", "of the front"):
        assert words in shown


def test_an_illegal_drop_says_why_and_leaves_what_was(people: People, run: Run, ask: Ask) -> None:
    found = moved(ask, people.viewer, run, [*MOVES, ["x.2", "2.0"]])
    assert found[EditIds.SAID]["children"] == "Not possible: it needs three numbers from 0 to 1."
    assert found[EditIds.ANSWERED]["data"]["taken"] == 2
    assert "Keep as my design" not in str(found[EditIds.FIGURES]), "who only views moves and keeps nothing"


def test_what_the_browser_sends_is_looked_at(people: People, run: Run, ask: Ask) -> None:
    found = moved(ask, people.viewer, run, [["x.0", "0.0"], "nonsense", ["x.1", "1.0"]])
    assert found[EditIds.ANSWERED]["data"]["taken"] == 1
    assert moved(ask, people.viewer, run, {"no": "list"})[EditIds.ANSWERED]["data"]["taken"] == 0


def test_keeping_is_for_those_who_may_edit_and_says_where_it_is(people: People, run: Run, ask: Ask) -> None:
    given = values(run, **{f"{EditIds.ASKED}.data": {"n": 3, "moves": MOVES}, f"{EditIds.KEEP}.n_clicks": 1})
    key, count = f"{EditIds.KEPT}.children", readers.stored_count(run.pk)
    ask(people.viewer, key, given, f"{EditIds.KEEP}.n_clicks")
    assert readers.stored_count(run.pk) == count
    said = str(ask(people.editor, key, given, f"{EditIds.KEEP}.n_clicks").json())
    assert f"Kept as By hand 1, design {count} of this run." in said and f"design={count}" in said
    again = str(ask(people.editor, key, given, f"{EditIds.KEEP}.n_clicks").json())
    assert "This run has it already" in again and readers.stored_count(run.pk) == count + 1
