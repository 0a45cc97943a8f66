"""Addresses of surveys, and of engines that look closer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from engines.registry import get_engine
from frontend.pages.survey.address import SurveyQuestion, deeper_address, read_network, survey_address
from tests.frontend.pages.survey.cases import BOARD, PACKAGE, UNABLE

BODY: dict[str, Any] = {"kind": "workload", "schema": "network/1", "slug": "net", "project": "lab"}
UNKNOWN = {"operators": [{"operator": "Loop", "count": 1, "treatment": "unpriced"}]}


def test_the_form_is_filled_in_with_what_the_survey_priced_the_device_by() -> None:
    found = deeper_address(BOARD, "lab/net")
    assert found is not None
    query = dict(parse_qsl(urlsplit(found[1]).query))
    assert (query["hardware"], query["workload"], query["calibration"]) == ("jetson-agx-xavier", "lab/net", "lab/mine")
    assert query["unmeasured"] == "assumed" and found[0] == get_engine(query["engine"]).title


def test_bits_that_no_form_offers_lead_to_no_form() -> None:
    assert BOARD.priced is not None
    asked = [replace(BOARD, priced=replace(BOARD.priced, params={"bits": bits})) for bits in ("int8", "w3a16")]
    offered, other = (deeper_address(each, "net") for each in asked)
    assert offered is not None and "bits=int8" in offered[1] and other is None


def test_a_package_goes_to_another_engine_and_an_unknown_kind_to_none() -> None:
    board, package = deeper_address(BOARD, "net"), deeper_address(PACKAGE, "net")
    assert board and package and board[0] != package[0] and "unmeasured" not in package[1]
    assert deeper_address(UNABLE, "net") is not None
    assert deeper_address(replace(BOARD, schema="none/1"), "net") is None


def test_a_survey_has_its_network_in_the_address() -> None:
    assert survey_address(SurveyQuestion("lab/net")) == "/survey?workload=lab/net"
    assert survey_address(SurveyQuestion("net", device="lab/board")) == "/survey?workload=net&device=lab/board"
    asked = SurveyQuestion("net", "boards", "w4a16", "mode-15w")
    assert survey_address(asked) == "/survey?workload=net&show=boards&bits=w4a16&mode=mode-15w"
    assert (
        SurveyQuestion.read({"workload": "net", "show": "boards", "bits": "w4a16", "mode": "mode-15w", "more": 1})
        == asked
    )


def test_a_network_that_was_read_whole_leads_to_its_survey() -> None:
    assert read_network({"status": 201, "body": BODY}) == "lab/net"
    assert read_network({"status": 200, "body": {**BODY, "project": None}}) == "net"


def test_what_was_refused_or_is_no_whole_network_leads_nowhere() -> None:
    assert read_network({"status": 400, "body": BODY}) == read_network(None) == ""
    assert read_network({"status": 201, "body": {**BODY, "report": UNKNOWN}}) == ""
    assert read_network({"status": 201, "body": {**BODY, "schema": "soc/1"}}) == ""
