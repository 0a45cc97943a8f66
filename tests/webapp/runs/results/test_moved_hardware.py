from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from hardware.package.loader import builtin_hardware
from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import store_version
from webapp.runs.inputs.estimators import estimator_of
from webapp.runs.models import Run
from webapp.runs.results.moved_hardware import keep, movable_of, values_at
from webapp.runs.service import create
from webapp.teams.permissions import NotAllowed

SLUG = "simba-3x3-het-sides"
FASTER = {"hardware": {"clock": 800.0}}


def give_package(run: Run, content: Mapping[str, Any], version: int = 1) -> Run:
    """The run was computed on that package."""
    digest = Document("hardware", content["slug"], version, content).content_hash()
    run.inputs.create(
        slot="hardware", kind="hardware", slug=content["slug"], version=version, content=content, content_hash=digest
    )
    vars(run).pop("listed_inputs", None)
    return run


@pytest.fixture
def on_package(run: Run) -> Run:
    return give_package(run, builtin_hardware()[SLUG])


def test_the_family_says_what_may_be_moved_and_a_run_without_such_has_nothing(run: Run) -> None:
    assert movable_of(run) == ()
    (document,) = movable_of(give_package(run, builtin_hardware()[SLUG]))
    assert (document.slot, document.title) == ("hardware", "Simba 3x3 Het-Sides")
    assert "clock" in [figure.name for figure in document.figures]


def test_figures_that_stand_where_they_were_are_left_out(on_package: Run) -> None:
    documents = movable_of(on_package)
    assert values_at(documents, FASTER) == {"hardware": {"clock_mhz": 800.0}}
    assert values_at(documents, {"hardware": {"clock": 500.0}}) == {}


@pytest.mark.parametrize(
    ("positions", "field"),
    [
        ({"workload": {"clock": 1.0}}, "slot"),
        ({"hardware": {"colour": 1.0}}, "hardware.figure"),
        ({"hardware": {"clock": 1e9}}, "hardware.clock"),
    ],
)
def test_what_cannot_be_moved_is_told_by_its_place(on_package: Run, positions: Any, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        values_at(movable_of(on_package), positions)
    assert caught.value.field == field


def test_what_comes_with_the_product_is_kept_as_a_copy_with_versions_of_its_own(
    people: People, on_package: Run
) -> None:
    (first,) = keep(people.editor, on_package, FASTER)
    (second,) = keep(people.editor, on_package, {"hardware": {"clock": 900.0}})
    (again,) = keep(people.editor, on_package, {"hardware": {"clock": 900.0}})
    name = f"lab/{SLUG}-what-if"
    assert [(each.name, each.version, each.created) for each in (first, second, again)] == [
        (name, 1, True), (name, 2, True), (name, 2, False),
    ]  # fmt: skip
    content = DocumentVersion.objects.get(document__slug=f"{SLUG}-what-if", number=1).content
    assert content["clock_mhz"] == 800.0 and content["title"] == "Simba 3x3 Het-Sides (what if)"
    assert content["sources"]["clock_mhz"].startswith("assumed; changed on the page of run")


def test_a_board_of_the_project_gets_its_next_version(people: People, run: Run) -> None:
    own = {**builtin_hardware()[SLUG], "slug": "our-package", "title": "Our package"}
    stored = store_version(people.editor, people.project, "hardware", own)
    (kept,) = keep(people.editor, give_package(run, stored.content), FASTER)
    assert (kept.name, kept.version, kept.title) == ("lab/our-package", 2, "Our package")


def test_viewers_keep_nothing_and_neither_does_who_moved_nothing(people: People, on_package: Run) -> None:
    for person in (people.viewer, people.stranger):
        with pytest.raises(NotAllowed):
            keep(person, on_package, FASTER)
    with pytest.raises(ProblemError, match="all values equal"):
        keep(people.editor, on_package, {})
    assert not DocumentVersion.objects.exists()


def test_the_calibration_that_the_engine_chose_can_be_moved_and_kept(people: People) -> None:
    inputs = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}
    run = create(people.owner, {"engine": "soc-mapping", "inputs": inputs, "params": {}}, people.project)
    documents = {each.slot: each for each in movable_of(run)}
    assert set(documents) == {"hardware", "calibration"} and documents["calibration"].slug == "xavier-magnas"
    (kept,) = keep(people.owner, run, {"calibration": {"launch-gpu": 20.0}})
    content = DocumentVersion.objects.get(document__slug="xavier-magnas-what-if").content
    assert (kept.kind, kept.name, content["rows"]) == ("calibration", "lab/xavier-magnas-what-if", [])
    again = create(people.owner, {"engine": "soc-mapping", "inputs": {**inputs, "calibration": f"{kept.name}@1"}})
    assert estimator_of(again).certainty == "predicted" and not estimator_of(again).error_factors
