"""The cause in the answer of a run."""

from __future__ import annotations

import re

from engines.contract.metric_breakdowns import MetricBreakdown
from engines.registry import get_engine
from engines.why.composition import parts_of
from frontend.designs.answer import answer_of
from frontend.pages.run.run_reader import designs_of, explained
from frontend.pages.run.why.cause import cause_of
from tests.support.stored_runs import People, computed_run, finished_run
from webapp.runs.models import Run


def _mapped(people: People) -> Run:
    inputs = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}
    return computed_run(people, {"engine": "soc-mapping", "inputs": inputs, "params": {}})


def test_it_is_the_largest_part_of_the_best_design_as_the_breakdown_has_it(people: People) -> None:
    run = _mapped(people)
    designs = designs_of(run)
    words = cause_of(run, designs)
    found = re.fullmatch(r"(\d+)\s% of the latency is (.+) of (\d+) operators\.", words)
    assert found, words
    number = designs.best(designs.primary)
    assert number is not None
    layers = next(each for each in explained(run, number) if each.name == "layer-latency")
    parts = parts_of(next(each for each in _declared() if each.along == "parts"), [layers])
    largest = max(parts, key=lambda name: parts[name])
    assert largest.lower() == found[2] and round(100 * parts[largest] / sum(parts.values())) == int(found[1])
    assert int(found[3]) == (layers.values[:, layers.parts.index(largest)] > 0).sum()  # type: ignore[attr-defined]
    answer = answer_of(designs, {}, why=words)
    assert answer is not None and answer.why == words


def _declared() -> tuple[MetricBreakdown, ...]:
    return get_engine("soc-mapping").breakdowns


def test_an_engine_without_causes_names_none(people: People) -> None:
    run = finished_run(people, steps=1, designs_per_step=2)
    assert cause_of(run, designs_of(run)) == ""
