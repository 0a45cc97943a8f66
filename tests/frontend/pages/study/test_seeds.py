"""The card over the seeds of a study: what it draws, what it concludes, how it answers to its controls."""

from __future__ import annotations

from typing import Any

from engines.registry import get_engine
from frontend.ids.shell import ShellIds
from frontend.ids.study import StudyIds
from frontend.pages.study.judgement import p_words
from frontend.pages.study.seeds import (
    AskedSeeds,
    asked_statistics,
    compare_link,
    median_runs,
    place_choices,
)
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.seeds_for_tests import drawn, fill
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.studies.models import Study


def parts(component: Any, kind: str) -> list[Any]:
    return [each for part in component for each in part._traverse() if type(each).__name__ == kind]


def test_nothing_has_ended(seeded: Study) -> None:
    assert "No run has ended yet" in str(drawn(seeded))
    assert compare_link(asked_statistics(seeded, AskedSeeds())[0]) is None


def test_fronts_boxes_and_tests_of_three_groups(seeded: Study) -> None:
    fill(seeded)
    view = drawn(seeded)
    pictures = parts(view, "Graph")
    names = [trace["name"] for trace in pictures[0].figure["data"]]
    assert {"A median", "B median", "C median", "A quartiles"} <= set(names)
    grown = pictures[1].figure
    assert {"A median", "C quartiles"} <= {trace["name"] for trace in grown["data"]}
    assert grown["layout"]["xaxis"]["title"]["text"] == "Evaluations"
    assert [len(trace.x) for trace in pictures[2].figure.data] == [5, 5, 5]
    text = str(view)
    assert "Hypervolume against evaluations" in text
    assert "3 of 3 differences are significant at 5" in text and "Kruskal and Wallis" in text
    assert text.count("'significant'") == 3 and "too few" not in text


def test_median_runs_are_compared(seeded: Study) -> None:
    fill(seeded)
    found, _ = asked_statistics(seeded, AskedSeeds(measure="latency_s"))
    numbers = [Run.objects.get(pk=number) for number in median_runs(found)]
    assert [(run.params["steps"], run.seed) for run in numbers] == [(1, 3), (2, 3), (3, 3)]
    link = compare_link(found)
    assert link is not None and link.href == "/compare?runs=" + ",".join(str(run.pk) for run in numbers)


def test_what_is_not_there_gives_way(seeded: Study) -> None:
    _, asked = asked_statistics(seeded, AskedSeeds("nothing", 99, "nothing", "nothing", "latency_s"))
    assert asked == AskedSeeds("params.steps", 0, "hypervolume", "latency_s", "energy_j")
    _, other = asked_statistics(seeded, AskedSeeds("params.designs_per_step", 99, "energy_j"))
    assert other == AskedSeeds("params.designs_per_step", 0, "energy_j", "latency_s", "energy_j")
    labels = [choice["label"] for choice in place_choices(seeded, "params.designs_per_step", get_engine("toy"))]
    assert labels == ["1", "2", "3"]
    assert (p_words(0.0001), p_words(0.1), p_words(float("nan"))) == ("< 0.001", "0.10", "–")


def ask_seeds(ask: Ask, user: Any, seeded: Study, changed: str, **asked: Any) -> Any:
    shown = {
        "by": "params.steps",
        "at": "0",
        "measure": "hypervolume",
        "x_axis": "latency_s",
        "y_axis": "energy_j",
    } | asked
    given = {f"{StudyIds[name.upper()]}.value": value for name, value in shown.items()}
    given |= {f"{StudyIds.DIGEST}.data": "", f"{ShellIds.SCHEME}.data": "light", f"{StudyIds.STUDY}.data": seeded.pk}
    given |= {f"{StudyIds.SEEDS_DIGEST}.data": ""}
    return ask(user, f"{StudyIds.SEEDS}.children", given, f"{changed}.value")


def test_another_axis_has_other_places(people: People, seeded: Study, ask: Ask) -> None:
    fill(seeded)
    answer = ask_seeds(ask, people.viewer, seeded, StudyIds.BY, by="params.designs_per_step", at="1").json()["response"]
    assert answer[StudyIds.AT]["value"] == "0" and len(answer[StudyIds.AT]["data"]) == 3
    assert "A median" in str(answer[StudyIds.SEEDS]["children"])
    assert ask_seeds(ask, people.stranger, seeded, StudyIds.BY).status_code == 404
