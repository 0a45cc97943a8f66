from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.registry import get_engine
from frontend.pages.new.initial_draft import asked_engine, entries_of, opening_draft
from frontend.pages.new.summary import title_of
from tests.frontend.pages.new.drafts_for_tests import DRAFT, SCAR
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.runs.results.design_variants import DesignEdit
from webapp.runs.service import create


def test_starting_from_a_run_fills_everything_in(people: People) -> None:
    run = create(
        people.owner, {**replace(DRAFT, params={"n_splits": 2}, seed=5).document(), "title": "Mine"}, people.project
    )
    draft, title = opening_draft(people.viewer, {"from": str(run.pk)})
    assert (draft.engine, draft.seed, draft.parent, title) == ("scar", 5, run.pk, "Mine")
    assert draft.params["n_splits"] == 2 and draft.inputs["hardware"] == "simba-3x3-het-sides@1"


def test_starting_from_a_run_on_other_hardware_keeps_all_else(people: People) -> None:
    run = create(people.owner, replace(DRAFT, seed=5).document(), people.project)
    query = {"from": str(run.pk), "hardware": "simba-3x3-nvdla@1"}
    draft, _ = opening_draft(people.viewer, query)
    assert draft.seed == 5 and draft.inputs["hardware"] == "simba-3x3-nvdla@1"
    assert draft.inputs["workload"].startswith(DRAFT.inputs["workload"].partition("@")[0])


def test_starting_from_a_run_with_one_of_its_designs_takes_that_up(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create(people.owner, replace(DRAFT, params={"n_splits": 2}).document(), people.project)
    asked: list[int] = []

    def tried(run: Run, number: int, moves: Any, population: Any) -> DesignEdit:
        asked.append(number)
        if number > 4:
            raise LookupError
        return DesignEdit((), params={"own_schedules": "[]"})

    monkeypatch.setattr("frontend.pages.new.initial_draft.try_edit", tried)
    query = {"from": str(run.pk)}
    assert opening_draft(people.viewer, {**query, "with": "4"})[0].params == {"n_splits": 2, "own_schedules": "[]"} | {
        name: value for name, value in opening_draft(people.viewer, query)[0].params.items() if name != "own_schedules"
    }
    for none in ("5", "x", "-1"):
        assert opening_draft(people.viewer, {**query, "with": none}) == opening_draft(people.viewer, query)
    assert asked == [4, 5]


def test_starting_from_a_run_makes_a_default_title_again(people: People) -> None:
    made = title_of(DRAFT, SCAR, entries_of(people.owner, SCAR))
    run = create(people.owner, {**DRAFT.document(), "title": made}, people.project)
    assert opening_draft(people.viewer, {"from": str(run.pk)})[1] == ""


@pytest.mark.parametrize(("query", "engine"), [({}, "scar"), ({"engine": "package-search"}, "package-search")])
def test_an_address_without_an_engine_means_scar(people: People, query: dict[str, str], engine: str) -> None:
    assert opening_draft(people.owner, query)[0].engine == asked_engine(query).name == engine


def test_a_network_that_lists_do_not_show_can_be_chosen_by_its_name(people: People) -> None:
    query = {"engine": "scar", "workload": "bert-large-200@1"}
    draft, _ = opening_draft(people.viewer, query)
    assert draft.inputs["workload"] == "bert-large-200@1"
    engine = get_engine("scar")
    shown = entries_of(people.viewer, engine, draft.inputs)["workload"]
    assert [entry.title for entry in shown if entry.slug == "bert-large-200"] == ["BERT-Large, 200 tokens"]
    assert "bert-large-200" not in {entry.slug for entry in entries_of(people.viewer, engine)["workload"]}
    for unknown in ("bert-large-900", "jetson-tx2", "lab/nothing"):
        assert (
            opening_draft(people.viewer, {**query, "workload": unknown})[0].inputs["workload"] == "xrbench-scenario-9"
        )
