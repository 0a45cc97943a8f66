"""The card over the seeds of a study: what it draws, what it concludes, how it answers to its controls."""

from __future__ import annotations

from typing import Any

import pytest

from engines.registry import get_engine
from frontend.ids.shell import ShellIds
from frontend.ids.study import StudyIds
from frontend.pages.study.judgement import no_spread, p_words, too_few, verdict
from frontend.pages.study.seeds import (
    AskedSeeds,
    asked_statistics,
    compare_link,
    median_runs,
    place_choices,
    seeds_view,
)
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from tests.webapp.studies.test_statistics import give
from webapp.runs.models import Run
from webapp.studies import service
from webapp.studies.models import Study

GRID = {
    "engine": "toy",
    "params": {"steps": {"each": [1, 2, 3]}, "designs_per_step": {"each": [4, 5]}},
    "seeds": [1, 2, 3, 4, 5],
}


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.bell.ring", lambda: None)


@pytest.fixture
def study(people: People) -> Study:
    return service.create(people.owner, {**GRID, "title": "Seeds"}, project=people.project)


def fill(study: Study, seeds: int = 5) -> None:
    """The more steps the better: no two groups overlap."""
    for run in study.runs.filter(params__designs_per_step=4, seed__lte=seeds):
        latency = 4.0 - run.params["steps"] + 0.01 * run.seed
        give(run, [(latency, 1.0), (latency / 2, 3.0)])


def parts(component: Any, kind: str) -> list[Any]:
    return [each for part in component for each in part._traverse() if type(each).__name__ == kind]


def drawn(study: Study) -> Any:
    found, shown = asked_statistics(study, AskedSeeds())
    return seeds_view(found, shown, study, get_engine("toy"), "light")


def test_nothing_has_ended(study: Study) -> None:
    assert "No run has ended yet" in str(drawn(study))
    assert compare_link(asked_statistics(study, AskedSeeds())[0]) is None


def test_fronts_boxes_and_tests_of_three_groups(study: Study) -> None:
    fill(study)
    view = drawn(study)
    pictures = parts(view, "Graph")
    names = [trace["name"] for trace in pictures[0].figure["data"]]
    assert {"A median", "B median", "C median", "A quartiles"} <= set(names)
    assert [len(trace.x) for trace in pictures[1].figure.data] == [5, 5, 5]
    text = str(view)
    assert "3 of 3 differences are significant at 5" in text and "Kruskal and Wallis" in text
    assert text.count("'significant'") == 3 and "too few" not in text


def test_so_few_seeds_conclude_nothing(study: Study) -> None:
    fill(study, seeds=3)
    found, _ = asked_statistics(study, AskedSeeds())
    assert "None of 3 differences is significant" in verdict(found)
    words = too_few(found)
    assert "any of these pairs" in words and "p could not be below 0.30" in words and "5 runs per group" in words
    assert "'too few runs'" in str(drawn(study))


def test_one_result_several_times_is_said_to_be_one(study: Study) -> None:
    for run in study.runs.filter(params__designs_per_step=4):
        give(run, [(4.0 - run.params["steps"], 1.0)])
    assert "all runs came out the same" in no_spread(asked_statistics(study, AskedSeeds(measure="latency_s"))[0])
    give(study.runs.filter(params__designs_per_step=4)[0], [(0.5, 0.5)])
    assert no_spread(asked_statistics(study, AskedSeeds(measure="latency_s"))[0]) == ""


def test_median_runs_are_compared(study: Study) -> None:
    fill(study)
    found, _ = asked_statistics(study, AskedSeeds(measure="latency_s"))
    numbers = [Run.objects.get(pk=number) for number in median_runs(found)]
    assert [(run.params["steps"], run.seed) for run in numbers] == [(1, 3), (2, 3), (3, 3)]
    link = compare_link(found)
    assert link is not None and link.href == "/compare?runs=" + ",".join(str(run.pk) for run in numbers)


def test_what_is_not_there_gives_way(study: Study) -> None:
    _, asked = asked_statistics(study, AskedSeeds("nothing", 99, "nothing", "nothing", "latency_s"))
    assert asked == AskedSeeds("params.steps", 0, "hypervolume", "latency_s", "energy_j")
    _, other = asked_statistics(study, AskedSeeds("params.designs_per_step", 99, "energy_j"))
    assert other == AskedSeeds("params.designs_per_step", 0, "energy_j", "latency_s", "energy_j")
    labels = [choice["label"] for choice in place_choices(study, "params.designs_per_step", get_engine("toy"))]
    assert labels == ["1", "2", "3"]
    assert (p_words(0.0001), p_words(0.1), p_words(float("nan"))) == ("< 0.001", "0.10", "–")


def ask_seeds(ask: Ask, user: Any, study: Study, changed: str, **asked: Any) -> Any:
    shown = {
        "by": "params.steps",
        "at": "0",
        "measure": "hypervolume",
        "x_axis": "latency_s",
        "y_axis": "energy_j",
    } | asked
    given = {f"{StudyIds[name.upper()]}.value": value for name, value in shown.items()}
    given |= {f"{StudyIds.DIGEST}.data": "", f"{ShellIds.SCHEME}.data": "light", f"{StudyIds.STUDY}.data": study.pk}
    given |= {f"{StudyIds.SEEDS_DIGEST}.data": ""}
    return ask(user, f"{StudyIds.SEEDS}.children", given, f"{changed}.value")


def test_another_axis_has_other_places(people: People, study: Study, ask: Ask) -> None:
    fill(study)
    answer = ask_seeds(ask, people.viewer, study, StudyIds.BY, by="params.designs_per_step", at="1").json()["response"]
    assert answer[StudyIds.AT]["value"] == "0" and len(answer[StudyIds.AT]["data"]) == 3
    assert "A median" in str(answer[StudyIds.SEEDS]["children"])
    assert ask_seeds(ask, people.stranger, study, StudyIds.BY).status_code == 404
