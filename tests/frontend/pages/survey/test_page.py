"""The page of the survey answers for its network."""

from __future__ import annotations

import re

from engines.workloads.builtins import builtin_networks
from frontend.bridge import get_app
from frontend.ids.shell import ShellIds
from frontend.ids.survey import SurveyIds
from frontend.pages.survey.address import SurveyQuestion
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def test_the_page_says_what_the_survey_found_or_why_there_is_none(people: People, ask: Ask) -> None:
    def asked(workload: str, file: str = "") -> str:
        given = {
            f"{SurveyIds.ASKED}.data": {"workload": workload, "show": "boards", "file": file},
            f"{ShellIds.SCHEME}.data": "light",
            f"{ShellIds.VIEWPORT}.data": {"width": 1280, "height": 800},
        }
        return ask(people.owner, f"{SurveyIds.FOUND}.children", given).content.decode()

    found = asked("resnet50")
    assert "Snapdragon" in found and "Google Edge TPU" in found and "Simba" not in found
    assert "version" not in found and "already, as version 3 of resnet50" in asked("resnet50", "same-3")
    assert "not of a scenario" in asked("mlperf-scenario-4") and "nothing" in asked("nothing")


def test_a_page_without_a_network_offers_built_in_ones() -> None:
    get_app()
    from frontend.pages.survey.page import examples

    links = re.findall(r"/survey\?workload=([a-z0-9-]+)", str(examples(SurveyQuestion())))
    assert len(links) == 4 and set(links) <= set(builtin_networks())
