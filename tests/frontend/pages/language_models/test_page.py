"""The page of measured and predicted language models: every measurement, errors of boards, pictures in both schemes."""

from __future__ import annotations

import json

import pytest

from engines.survey.language.measurements import language_measurements
from engines.survey.language.validation import validation_rows
from frontend.bridge import get_app
from frontend.figures.hardware.measured_against_predicted import drawn_rows, prediction_figure, prediction_sentence
from frontend.ids.language_models import LanguageModelIds
from frontend.ids.shell import ShellIds
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def page(people: People, monkeypatch: pytest.MonkeyPatch, **query: str) -> str:
    get_app()
    from frontend.pages.language_models import page as module

    monkeypatch.setattr(module, "current_user", lambda: people.owner)
    return json.dumps(module.layout(**query).to_plotly_json(), default=lambda each: each.to_plotly_json())


def test_every_measurement_is_there_with_its_source(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = page(people, monkeypatch)
    assert shown.count("repro-name") == len(language_measurements())
    for words in ("DeepSeekOCR 3B(A570M)", "airockchip/rknn-llm@878f9361fd3a", "BSD-3-Clause", "Baseline, median",
                  "The source does not state the bits of activations.", "snapdragon-8-elite"):  # fmt: skip
        assert words in shown


def test_one_board_is_shown_where_the_address_names_it(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = page(people, monkeypatch, board="rk3588")
    own = [each for each in language_measurements() if each.board == "rk3588"]
    assert shown.count("repro-name") == len(own) and "Baichuan2" not in shown
    assert page(people, monkeypatch, board="nothing").count("repro-name") == len(language_measurements())


@pytest.mark.parametrize("stage", ["prefill", "decode"])
def test_pictures_have_a_mark_per_prediction(stage: str) -> None:
    rows = drawn_rows(validation_rows(), stage)
    drawn = prediction_figure(rows, stage, "dark")
    assert sum(len(trace.x) for trace in drawn.data[1:]) == len(rows)
    assert {trace.name for trace in drawn.data[1:]} == {each.row.board for each in rows}
    assert f"{len(rows)} measurements" in prediction_sentence(rows, stage)


def test_the_pictures_follow_the_scheme(people: People, ask: Ask) -> None:
    given = {f"{ShellIds.SCHEME}.data": "dark", f"{LanguageModelIds.ASKED}.data": "rk3576"}
    shown = ask(people.owner, f"{LanguageModelIds.PICTURE}.children", given).content.decode()
    assert "rk3576" in shown and "rk3588" not in shown
