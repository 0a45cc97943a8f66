"""What is said of runs without a value and of runs that take no part."""

from __future__ import annotations

from frontend.pages.study.missing_runs import missing_sentences, numbers
from frontend.pages.study.seeds import AskedSeeds, asked_statistics
from tests.frontend.pages.study.seeds_for_tests import drawn
from tests.webapp.studies.statistics_for_tests import give
from webapp.studies.models import Study

TITLES = ("One", "Two", "Three")


def test_runs_are_named_by_number(seeded: Study) -> None:
    runs = list(seeded.runs.filter(params__designs_per_step=4).order_by("params__steps", "seed"))
    for run in runs[:3] + runs[5:10]:
        give(run, [(2.0 + run.seed, 2.0)])
    give(runs[3], [])
    give(runs[4], [(1.0, 1.0)], status="failed")
    give(runs[10], [(1.0, 1.0)], status="stopped")
    found, _ = asked_statistics(seeded, AskedSeeds(measure="latency_s"))
    first, third, meaning = missing_sentences(found, TITLES)
    assert first == (
        f"One: 1 of 4 runs found no design within the limits (run {runs[3].pk:04d}). Failed and left out: run {runs[4].pk:04d}."
    )
    assert third == f"Three: Stopped and left out: run {runs[10].pk:04d}. Queued or running: 4."
    assert "counts as worse than every run with one in the tests" in meaning
    found, _ = asked_statistics(seeded, AskedSeeds())
    assert "hypervolume 0" in missing_sentences(found, TITLES)[-1]
    assert f"Failed and left out: run {runs[4].pk:04d}" in str(drawn(seeded))


def test_nothing_is_said_where_nothing_is_missing(seeded: Study) -> None:
    for run in seeded.runs.filter(params__designs_per_step=4):
        give(run, [(2.0, 2.0)])
    found, _ = asked_statistics(seeded, AskedSeeds())
    assert missing_sentences(found, TITLES) == []


def test_many_numbers_are_cut(seeded: Study) -> None:
    runs = [each.run for group in asked_statistics(seeded, AskedSeeds())[0].groups for each in group.runs]
    assert runs == []
    found, _ = asked_statistics(seeded, AskedSeeds())
    every = [run for group in found.groups for run in group.others]
    assert numbers(every).endswith("and 5 more") and numbers(every[:1]) == f"run {every[0].pk:04d}"
