from __future__ import annotations

import json
from typing import Any

from frontend.pages.catalogue.document.frame import find
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.hardware.board import board_cards
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.models import ValueReport
from webapp.catalogue.service import copy_of, store_version


def words_of(people: People, slug: str) -> str:
    shown = find(people.owner, "hardware", slug)
    assert shown is not None
    return "".join(json.dumps(each.to_plotly_json(), default=lambda one: one.to_plotly_json())
                   for each in board_cards(people.owner, shown, loaded(shown.entry), "light"))  # fmt: skip


def test_a_board_says_what_is_known_of_it_and_what_is_not(people: People) -> None:
    words = words_of(people, "jetson-agx-orin")
    for part in ("1999 (developer kit) USD", "2 \\u00d7 DLA (NVDLA 2)", "85.23", "105 sparse int8 TOPS", "memset", "30.35",
                 "mode-15w", "no energy can be estimated", "/survey?device=jetson-agx-orin", "values.csv"):  # fmt: skip
        assert part in words, part
    hailo = words_of(people, "hailo-8")
    assert "The bandwidth of this device is not published" in hailo and "no latency can be estimated" in hailo
    assert "no latency and no energy can be estimated" in words_of(people, "sa8295p")


def test_a_part_has_no_board_and_a_copy_no_form_for_reports(people: People) -> None:
    assert words_of(people, "ublox-max-m8q") == ""
    content = copy_of(people.owner, "hardware", "hailo-8")
    store_version(people.owner, people.project, "hardware", content)
    assert "board-report" not in words_of(people, f"lab/{content['slug']}")


def asked(key: str, value: str, source: str) -> dict[str, Any]:
    document = {"kind": "hardware", "name": "hailo-8", "version": 1}
    return {"board-report.n_clicks": 1, "board-report-key.value": key, "board-report-value.value": value,
            "board-report-source.value": source, "document-name.data": document}  # fmt: skip


def test_a_report_is_stored_listed_and_refused_beside_the_form(people: People, ask: Ask) -> None:
    key = "units.npu.on_chip_memory_kib"
    answer = ask(people.editor, "board-report-answer.children", asked(key, "32 MB", ""), "board-report.n_clicks")
    assert "source" in answer.content.decode() and not ValueReport.objects.exists()
    answer = ask(people.editor, "board-report-answer.children", asked(key, "32 MB", "Sheet 2"), "board-report.n_clicks")
    shown = json.dumps(answer.json()["response"])
    assert "Stored." in shown and "32 MB" in shown and "waits for review" in shown
    assert ValueReport.objects.get().source == "Sheet 2"


def test_the_roofline_follows_the_power_mode(people: People, ask: Ask) -> None:
    values = {"document-name.data": {"kind": "hardware", "name": "jetson-agx-orin", "version": 1},
              "board-mode.value": "mode-15w", "scheme.data": "dark"}  # fmt: skip
    response = ask(people.owner, "board-roofline.children", values, "board-mode.value").json()["response"]
    assert "GPU int8 10.0" in json.dumps(response)
