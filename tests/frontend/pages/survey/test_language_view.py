"""The survey page of a language model: its conversation in the address, its metrics, and files that become one."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.survey.language.survey_result import LanguageRow
from engines.survey.language.work import Conversation
from engines.workloads.importing.language_reader import read_configuration
from frontend.conversation_address import run_survey_address
from frontend.ids.shell import ShellIds
from frontend.ids.survey import SurveyIds
from frontend.pages.survey.address import (
    SurveyQuestion,
    conversation_form,
    conversation_of,
    survey_address,
)
from tests.engines.survey.language.configurations import QWEN3_4B
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.service import store_version


def test_the_address_holds_the_conversation() -> None:
    asked = SurveyQuestion("lab/x", prompt="2048", answer="64", cache="8")
    assert survey_address(asked) == "/survey?workload=lab/x&prompt=2048&answer=64&cache=8"
    assert conversation_of(asked) == Conversation(2048, 64, 8.0)
    assert conversation_of(SurveyQuestion("lab/x")) == Conversation()
    for wrong in (SurveyQuestion(prompt="many"), SurveyQuestion(answer="-1"), SurveyQuestion(cache="nan")):
        with pytest.raises(ProblemError):
            conversation_of(wrong)


def test_the_form_of_a_mapping_leads_back_to_the_conversation() -> None:
    row = LanguageRow("rk3588", "Rockchip RK3588", "soc/1", "w4a16")
    asked = SurveyQuestion("lab/x", bits="w4a16", prompt="2048", answer="64", cache="8")
    form = conversation_form(row, "lab/x", asked)
    assert form is not None
    query = dict(parse_qsl(urlsplit(form[1]).query))
    engine = get_engine(query["engine"])
    params = engine.Params.model_validate(
        {name: text for name, text in query.items() if name in engine.Params.model_fields}
    )
    assert (params.prompt_tokens, params.answer_tokens, params.cache_bits, params.bits) == (2048, 64, "8", "w4a16")
    assert (query["workload"], query["hardware"]) == ("lab/x", "rk3588")
    assert run_survey_address(engine, {"workload": "lab/x"}, params.model_dump()) == survey_address(asked)
    assert run_survey_address(engine, {"workload": "lab/x"}, {}) == "/survey?workload=lab/x&prompt=512&answer=128"
    assert run_survey_address(engine, {}, {}) == ""
    assert run_survey_address(get_engine("hadas"), {"workload": "lab/x"}, {}) == ""
    assert conversation_form(replace(row, schema="package/1"), "lab/x", asked) is None


def test_the_page_shows_the_metrics_of_a_conversation(people: People, ask: Ask) -> None:
    store_version(people.owner, people.project, "workload", read_configuration(QWEN3_4B, "qwen3-4b.json").content)

    def asked(**values: str) -> str:
        given = {
            f"{SurveyIds.ASKED}.data": {"workload": "lab/qwen3-4b", **values},
            f"{ShellIds.SCHEME}.data": "light",
            f"{ShellIds.VIEWPORT}.data": {"width": 1280, "height": 800},
        }
        return ask(people.owner, f"{SurveyIds.FOUND}.children", given).content.decode()

    found = asked(bits="w4a16", prompt="512")
    for words in (
        "First token",
        "Tokens per second",
        "Energy per token",
        "Largest context",
        "36 layers",
        "conversation-coefficients",
        "RK3588",
        "Map stages",
    ):
        assert words in found
    assert "bandwidth of the memory" in found and "Devices without an estimate" in found
    assert "Energy per token" not in asked(prompt="0") and "from 1 to" in asked(prompt="0")
    assert "RK3576" not in asked(device="rk3588")


def test_another_conversation_leads_to_another_address(people: People, ask: Ask) -> None:
    def go(**values: object) -> str:
        given: dict[str, object] = {
            f"{SurveyIds.ASKED}.data": {"workload": "lab/qwen3-4b"}, f"{SurveyIds.BITS}.value": None,
            f"{SurveyIds.MODE}.value": None, f"{SurveyIds.PROMPT}.value": 512, f"{SurveyIds.ANSWER}.value": 128,
            f"{SurveyIds.CACHE_BITS}.value": "16", **values,
        }  # fmt: skip
        answer = ask(people.owner, f"{SurveyIds.LOCATION}.href@", given, f"{SurveyIds.PROMPT}.value")
        return answer.content.decode()

    assert "prompt=4096" in go(**{f"{SurveyIds.PROMPT}.value": 4096})
    assert "cache=8" in go(**{f"{SurveyIds.CACHE_BITS}.value": "8"}) and "workload" not in go()


def test_a_configuration_is_uploaded_as_a_workload(people: People) -> None:
    data = json.dumps({**QWEN3_4B, "_name_or_path": "Qwen/Qwen3-4B", "rms_norm_eps": 1e-06}).encode()
    client = client_of(people.owner)
    file = SimpleUploadedFile("config.json", data, "application/json")
    answer = client.post("/api/v1/documents/upload/", {"file": file, "project": "lab"}, format="multipart")
    assert answer.status_code == 201, answer.json()
    assert (answer.json()["slug"], answer.json()["schema"]) == ("qwen3-4b", "network/1")
    assert client.get("/api/v1/workloads/qwen3-4b/survey/").json()["parameters"] == 4_022_468_096
    broken = SimpleUploadedFile("config.json", json.dumps({"model_type": "qwen3"}).encode(), "application/json")
    refused = client.post("/api/v1/documents/upload/", {"file": broken, "project": "lab"}, format="multipart")
    assert refused.status_code == 400 and refused.json()["field"] == "hidden_size"
