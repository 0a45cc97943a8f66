"""What is typed into the form of a new study, as a study document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.registry import get_engine
from frontend.components.form import field_specs
from frontend.pages.study.new.form import (
    StudyDraft,
    control_value,
    draft_of_document,
    fresh_draft,
    read_params,
    read_seeds,
    seeds_words,
)
from frontend.pages.study.new.summary import StudyJudgement, _misfit_words, _wrong
from webapp.studies.cell_checks import StudyEstimate


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("0", [0]), ("0-2", [0, 1, 2]), ("0–2, 7", [0, 1, 2, 7]), (" 3 , 1 ", [3, 1]), ("", []), ("5-3", ["5-3"]),
        ("one", ["one"]), ("0-999999999", ["0-999999999"]), ("1,,2", [1, 2]), ("²", ["²"]),
    ],
)  # fmt: skip
def test_seeds_are_numbers_and_ranges(text: str, seeds: list[Any]) -> None:
    assert read_seeds(text) == seeds


def test_seeds_are_written_as_they_are_read() -> None:
    for seeds in ([0], [0, 1, 2, 7], [5, 4, 3], [1, 3, 5]):
        assert read_seeds(seeds_words(seeds)) == seeds
    assert seeds_words([0, 1, 2, 7]) == "0-2, 7"


def test_parameters_that_differ_are_kept_and_a_list_is_an_axis() -> None:
    engine = get_engine("scar")
    raw = {"objective": ["edp", "latency"], "n_splits": "4", "evaluations": "1 000", "baselines": ["true", "false"]}
    assert read_params(engine, raw) == {
        "objective": {"each": ["edp", "latency"]},
        "evaluations": 1000,
        "baselines": {"each": [True, False]},
    }
    assert read_params(engine, {"n_splits": ["x"]}) == {"n_splits": {"each": ["x"]}}


def test_a_control_holds_one_text_or_several() -> None:
    spec = next(spec for spec in field_specs(get_engine("scar").Params) if spec.name == "n_splits")
    assert control_value(spec, 4, False) == "4" and control_value(spec, 4, True) == ["4"]
    assert control_value(spec, {"each": [2, 6]}, True) == ["2", "6"]
    assert control_value(spec, {"each": [2, 6]}, False) == "2"


def test_a_fresh_draft_takes_what_the_address_asks_for_and_exists() -> None:
    engine = get_engine("scar")
    available = {"hardware": ["a", "b", "simba-3x3-het-sides-256"], "workload": ["w"]}
    draft = fresh_draft(engine, available, {"hardware": "b,nonsense,a"})
    assert draft.inputs == {"hardware": ("b", "a"), "workload": ("w",)}
    assert fresh_draft(engine, available, {}).inputs["hardware"] == ("simba-3x3-het-sides-256",)


def test_a_draft_becomes_a_document_and_back() -> None:
    draft = StudyDraft("scar", {"hardware": ("a", "b")}, {"n_splits": {"each": [2, 4]}}, "0-2", "Grid")
    document = draft.document()
    assert document == {
        "engine": "scar", "title": "Grid", "inputs": {"hardware": ["a", "b"]}, "params": {"n_splits": {"each": [2, 4]}},
        "seeds": [0, 1, 2],
    }  # fmt: skip
    assert draft_of_document(document) == draft


def test_a_mistake_and_a_limit_are_named() -> None:
    engine = get_engine("scar")
    wrong = StudyJudgement(None, parameters={"evaluations": "Must be at least 100. Got 3 instead"})
    assert _wrong(wrong, engine) == "Evaluations: Must be at least 100. Got 3 instead"
    assert _wrong(StudyJudgement(None, seeds="Must be a list"), engine) == "Seeds: Must be a list"
    base = StudyEstimate(2, 1, (1.0, 1.0), 1.0, 1.0, frozenset(), (), ())
    both = replace(base, misfits=("a=1: Weights fit.", "a=2: Weights fit."))
    assert _misfit_words(both) == "This check fails in every combination: Weights fit."
    one = _misfit_words(replace(base, misfits=("a=1: Weights fit.",)))
    assert one == "This check fails in 1 of 2 combinations: a=1: Weights fit."


def test_a_time_limit_is_part_of_the_document_only_where_there_is_one() -> None:
    limited = StudyDraft("scar", stop_after_minutes=2.5)
    assert draft_of_document(limited.document()) == limited and limited.document()["stop_after_minutes"] == 2.5
    assert "stop_after_minutes" not in StudyDraft("scar").document()
