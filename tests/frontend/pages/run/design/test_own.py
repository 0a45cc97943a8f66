"""A design of one's own: its decision as text, what comes of it, and what is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.quantities import Quantity
from engines.contract.results import Note
from engines.running.runner.evaluation import EvaluationError
from frontend.designs.run_designs import RunDesigns
from frontend.ids.own_design import OwnDesignIds as Ids
from frontend.pages.run.design import own as own_design
from frontend.pages.run.design.own import decision_text, read_decision, scored_words
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.results import readers
from webapp.runs.results.evaluation import DecisionScores

QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    Quantity("rate_fps", "Rate", "frames/s", "maximise", "objective"),
    Quantity("limit_slack", "Limit slack", "", "none", "constraint"),
)


def designs_at(*points: tuple[float, float]) -> RunDesigns:
    values = np.array(points)
    columns = {"latency_s": values[:, 0], "rate_fps": values[:, 1], "limit_slack": np.ones(len(points))}
    texts = np.array(["search"] * len(points)), np.array([""] * len(points))
    return RunDesigns(QUANTITIES, "latency_s", columns, np.arange(len(points)), *texts)


def words_of(designs: RunDesigns, latency_s: float, rate_fps: float, slack: float = 1.0) -> str:
    columns = {"latency_s": np.array([latency_s]), "rate_fps": np.array([rate_fps]), "limit_slack": np.array([slack])}
    own = Designs(columns, [{}], np.zeros(1, np.int64), ["user"])
    return str(scored_words(designs, 0, DecisionScores(own, QUANTITIES, [(QUANTITIES[2],) if slack < 0 else ()])))


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"units": ["gpu"] * 40, "clocks_mhz": {"gpu": 1377.0}},
        {"windows": [{"models": [{"cuts": [22, 56], "path": list(range(80))}] * 3}], "layout": None, "ä": "ü" * 120},
    ],
)
def test_a_decision_is_written_on_few_lines_and_read_again(decision: dict[str, Any]) -> None:
    text = decision_text(decision)
    assert read_decision(text) == decision
    assert all(len(line) <= 90 for line in text.splitlines() if "ü" not in line)


def test_lists_of_short_items_fill_their_lines() -> None:
    assert len(decision_text({"units": ["gpu"] * 40}).splitlines()) < 10


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"units": [}', "Line 1, column 12"),
        ("", "Line 1, column 1"),
        ("[]", "a JSON object"),
        ('{"x": NaN}', "NaN is no number"),
        ('{"clocks": {"gpu": 1, "gpu": 2}}', "The key gpu appears twice"),
        ('{"x": ' + "[" * 100_000, "too deeply"),
    ],
)
def test_what_is_no_decision_is_told_by_its_place(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_decision(text)


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ((1.0, 10.0), "equals a design on the Pareto front"),
        ((1.0, 9.0), "1 design of the front is better"),
        ((3.0, 9.0), "2 designs of the front are better"),
        ((1.5, 11.0), "No design of the front is better.'"),
        ((1.0, 20.0), "It is better than 2 designs of it"),
    ],
)
def test_it_stands_where_it_does_to_the_front(point: tuple[float, float], words: str) -> None:
    found = words_of(designs_at((1.0, 10.0), (2.0, 20.0), (4.0, 5.0)), *point)
    assert words in found and "Feasible" in found


def test_a_broken_limit_is_named() -> None:
    found = words_of(designs_at((1.0, 10.0)), 0.5, 20.0, slack=-0.25)
    assert "Not feasible" in found and "It violates a limit: Limit slack −0.250" in found
    assert "-0.250" not in found and "−0.250\\xa0×" not in found, "a ratio to what is negative says nothing"


def test_what_the_engine_says_of_a_broken_limit_is_shown(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = (Note("limits", "Limits", "34 ms, at most 33 ms", "warning"), Note("other", "Other", "a remark"))
    monkeypatch.setattr(own_design, "explain_in_child", lambda *_: notes)
    own = Designs({"limit_slack": np.array([-0.1])}, [{}], np.zeros(1, np.int64), ["user"])
    assert own_design._warnings(run, DecisionScores(own, QUANTITIES, [(QUANTITIES[2],)])) == ["34 ms, at most 33 ms"]
    assert own_design._warnings(run, DecisionScores(own, QUANTITIES, [()])) == []


def test_both_designs_stand_beside_each_other() -> None:
    found = words_of(designs_at((1.0, 10.0)), 0.5, 20.0)
    assert "'Design 0000'" in found and "'Yours'" in found
    assert found.count("title='better'") == 2 and "0.500\\xa0×" in found and "2.00\\xa0×" in found


# -- callbacks --------------------------------------------------------------------------------------------------------


def _fill(ask: Ask, user: Any, run: Any, changed: str, of: dict[str, Any], design: int | None = 3) -> Any:
    values = {
        f"{Ids.OPEN}.n_clicks": 1, f"{Ids.RESET}.n_clicks": None, f"{Ids.OF}.data": of,
        "run-selection.data": {"design": design}, "run-id.data": run.pk,
    }  # fmt: skip
    answer = ask(user, f"{Ids.DECISION}.value", values, changed)
    return answer.json()["response"] if answer.status_code == 200 else None


def test_it_begins_with_the_selected_design_and_keeps_what_was_written(ask: Ask, people: People, run: Any) -> None:
    filled = _fill(ask, people.owner, run, f"{Ids.OPEN}.n_clicks", {})
    assert json.loads(filled[Ids.DECISION]["value"]) == readers.load_decision(run, 3)
    assert filled[Ids.OF]["data"] == {"design": 3}
    assert _fill(ask, people.owner, run, f"{Ids.OPEN}.n_clicks", {"design": 3}) is None
    again = _fill(ask, people.owner, run, f"{Ids.RESET}.n_clicks", {"design": 3})
    assert json.loads(again[Ids.DECISION]["value"]) == readers.load_decision(run, 3)
    other = _fill(ask, people.owner, run, f"{Ids.OPEN}.n_clicks", {"design": 3}, design=4)
    assert json.loads(other[Ids.DECISION]["value"]) == readers.load_decision(run, 4)


def _score(ask: Ask, user: Any, run: Any, text: str) -> str:
    values = {
        f"{Ids.WRITTEN}.data": {"clicks": 1, "text": text}, f"{Ids.OF}.data": {"design": 3}, "run-id.data": run.pk,
    }  # fmt: skip
    answer = ask(user, f"{Ids.RESULT}.children@", values, f"{Ids.WRITTEN}.data")
    assert answer.status_code == 200
    return json.dumps(answer.json()["response"], ensure_ascii=False)


def test_it_is_scored_or_told_what_is_wrong(ask: Ask, people: People, run: Any) -> None:
    found = _score(ask, people.viewer, run, '{"x": [0.0, 0.5, 1.0]}')
    assert "Feasible" in found and "2.250" in found
    assert '"x"' in _score(ask, people.viewer, run, '{"x": [1]}')
    assert "Line 1, column 7" in _score(ask, people.viewer, run, '{"x": }')


def test_others_at_work_are_told(ask: Ask, people: People, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: Any) -> None:
        raise EvaluationError("Try a little later.")

    monkeypatch.setattr(own_design, "score_decisions", busy)
    assert "Try a little later." in _score(ask, people.owner, run, '{"x": [0.0, 0.5, 1.0]}')
