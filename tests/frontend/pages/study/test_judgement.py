from __future__ import annotations

from frontend.pages.study.judgement import no_spread, too_few, verdict
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
    assert "all runs came out the same" in no_spread(asked_statistics(seeded, AskedSeeds(measure="latency_s"))[0])
    give(seeded.runs.filter(params__designs_per_step=4)[0], [(0.5, 0.5)])
    assert no_spread(asked_statistics(seeded, AskedSeeds(measure="latency_s"))[0]) == ""
