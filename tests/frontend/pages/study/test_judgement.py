from __future__ import annotations

import pytest

from frontend.pages.study.judgement import equal_sentence, no_spread, too_few, verdict
from frontend.pages.study.seeds import AskedSeeds, asked_statistics
from tests.frontend.pages.study.seeds_for_tests import drawn, fill
from tests.webapp.studies.statistics_for_tests import give
from webapp.studies.models import Study


def test_so_few_seeds_conclude_nothing(seeded: Study) -> None:
    fill(seeded, seeds=3)
    found, _ = asked_statistics(seeded, AskedSeeds())
    assert "None of 3 differences is significant" in verdict(found)
    words = too_few(found)
    assert "any of these pairs" in words and "p could not be below 0.30" in words and "5 runs per group" in words
    assert "'too few runs'" in str(drawn(seeded))


def test_one_result_several_times_is_said_to_be_one(seeded: Study) -> None:
    for run in seeded.runs.filter(params__designs_per_step=4):
        give(run, [(4.0 - run.params["steps"], 1.0)])
    assert "all runs have the same result" in no_spread(asked_statistics(seeded, AskedSeeds(measure="latency_s"))[0])
    give(seeded.runs.filter(params__designs_per_step=4)[0], [(0.5, 0.5)])
    assert no_spread(asked_statistics(seeded, AskedSeeds(measure="latency_s"))[0]) == ""


def test_equal_fronts_are_said_to_be_equal_and_not_tested(seeded: Study) -> None:
    for run in seeded.runs.filter(params__designs_per_step=4):
        give(run, [(1.0, 3.0), (2.0, 1.0)] if run.seed % 2 else [(2.0, 1.0), (1.0, 3.0), (2.0, 1.0)])
    words = "All 15 runs found the same front (2 trade-offs): there is no difference to test."
    found, _ = asked_statistics(seeded, AskedSeeds())
    assert equal_sentence(found) == words
    text = str(drawn(seeded))
    assert words in text and "significant" not in text and "Holm" not in text
    pictures = [each for part in drawn(seeded) for each in part._traverse() if type(each).__name__ == "Graph"]
    assert {value for trace in pictures[-1].figure.data for value in trace.x} == {100.0}, "one place"


def test_no_spread_is_not_claimed_while_runs_are_missing(seeded: Study) -> None:
    for run in seeded.runs.filter(params__designs_per_step=4):
        give(run, [] if run.params["steps"] == 3 and run.seed == 1 else [(4.0 - run.params["steps"], 1.0)])
    found, _ = asked_statistics(seeded, AskedSeeds(measure="latency_s"))
    assert no_spread(found) == "" and equal_sentence(found) == ""


def test_nothing_found_at_all_is_said(seeded: Study) -> None:
    for run in seeded.runs.filter(params__designs_per_step=4):
        give(run, [])
    assert "No ended run found a design within the limits" in str(drawn(seeded))


def test_an_estimated_p_value_states_its_error(seeded: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(seeded)
    found, _ = asked_statistics(seeded, AskedSeeds())
    assert "±" not in verdict(found), "three groups of five are counted"
    monkeypatch.setattr("engines.search.significance._MOST_PLACED", 0)
    found, _ = asked_statistics(seeded, AskedSeeds())
    assert "as estimated from 20\u2009000 random arrangements" in verdict(found)
