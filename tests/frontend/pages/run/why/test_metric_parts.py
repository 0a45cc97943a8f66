from __future__ import annotations

import numpy as np

from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.quantities import Quantity
from engines.contract.results import Breakdown
from engines.why.composition import Part
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.why.metric_parts import (
    ALONE,
    BEST,
    PINNED,
    Reference,
    cause_sentence,
    change_words,
    compared,
    counts_of,
    made_of_words,
    offered_columns,
    references,
    usual_reference,
)
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
PARTS = (Part("C2", 0.3, 0.5), Part("C1", 0.1, 0.05), Part("C3", 0.1, 0.1))


def plain(words: str) -> str:
    return words.replace("\u00a0", " ")


def test_the_largest_parts_are_named_with_their_shares() -> None:
    words = "Latency of Design 0003 is 500.0 ms: 60 % is C2, 20 % C1."
    assert plain(made_of_words(PARTS, LATENCY, "Design 0003")) == words


def test_causes_are_named_with_the_operators_that_have_them() -> None:
    values = np.array([[0.05, 0.01], [0.05, 0.0]])
    layers = Breakdown("layers", "Latency by layer", ("a", "b"), ("Launch overhead", "Hand-over"), values, "s")
    declared = MetricBreakdown("latency_s", "layers", "by cause", "parts", counted="operator")
    parts, counts = compared(declared, [layers], []), counts_of(declared, [layers])
    assert counts == {"Launch overhead": "2 operators", "Hand-over": "1 operator"}
    told = plain(made_of_words(parts, LATENCY, "Design 0003", counts))
    assert "91 % is launch overhead of 2 operators, 9 % hand-over of 1 operator." in told
    assert plain(cause_sentence(parts, LATENCY, counts)) == "91 % of the latency is launch overhead of 2 operators."
    assert counts_of(MetricBreakdown("latency_s", "layers", "by layer", "bars"), [layers]) == {}
    assert cause_sentence((), LATENCY, {}) == ""


def test_a_change_is_told_with_what_works_for_it_and_what_against() -> None:
    words = "23.1 % lower than NoC, mostly by C2 (−200 ms), in spite of C1 (+50.0 ms)."
    assert plain(change_words(PARTS, LATENCY, "NoC")) == words
    same = (Part("C2", 0.3, 0.3),)
    assert change_words(same, LATENCY, "NoC") == "It equals NoC."


def test_columns_that_are_made_of_parts_are_offered_objectives_first(run: Run) -> None:
    assert list(offered_columns(ToyEngine(), designs_of(run))) == ["latency_s", "energy_j"]
    assert offered_columns(None, designs_of(run)) == {}


def test_a_pinned_design_comes_before_the_best_and_the_design_itself_is_left_out(run: Run) -> None:
    designs = designs_of(run)
    best = designs.best("latency_s")
    assert best is not None
    other = 0 if best else 1
    assert [each.name for each in references(designs, other, None, "latency_s")] == [BEST, ALONE]
    assert [each.name for each in references(designs, best, other, "latency_s")] == [PINNED, ALONE]
    assert [each.name for each in references(designs, best, best, "latency_s")] == [ALONE]


def test_a_design_is_set_beside_one_that_differs_unless_one_is_pinned(run: Run) -> None:
    designs = designs_of(run)
    best = designs.best("latency_s")
    assert best is not None
    same = [Reference(BEST, "", best), Reference(ALONE, "")]
    assert usual_reference(same, designs, best, "latency_s").name == ALONE
    assert usual_reference([Reference(PINNED, "", best), *same], designs, best, "latency_s").name == PINNED
    other = int(designs.columns["latency_s"].argmax())
    assert usual_reference(same, designs, other, "latency_s").name == BEST
