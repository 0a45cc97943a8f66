"""The survey of a language model: a config.json becomes one, and sliders of prompt and answer move it without the server."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from engines.contract.encoding.decoding import encoded
from engines.survey.language.coefficients import conversation_coefficients
from engines.survey.language.survey import survey_language
from engines.survey.language.work import Conversation
from engines.workloads.language.reader import read_language_model
from frontend.ids.shell import ShellIds
from tests.browser.conftest import RUN_MS
from tests.engines.survey.language.boards import some_boards
from tests.engines.survey.language.configurations import GEMMA3_1B, QWEN3_4B
from tests.support.site import Site

METRICS = (
    "time_to_first_token_s", "decode_tokens_per_s", "latency_s", "energy_per_token_j", "energy_j", "peak_memory_bytes",
    "largest_context_tokens",
)  # fmt: skip
ANSWERS = """([given, conversations]) => conversations.map(([prompt, answer]) => Object.fromEntries(Object.keys(given.boards).map(
    name => [name, window.dash_clientside.conversation.answer(given, name, given.boards[name].bits, prompt, answer)])))"""
MOVE = """(range, steps) => {
    range.value = Number(range.value) + steps;
    range.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def test_sliders_move_a_conversation_without_the_server(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**QWEN3_4B, "_name_or_path": "Qwen/Qwen3-4B"}))
    page = sign_in("ada")
    sentence = surveyed(site, page, config)
    expect(sentence).to_contain_text(
        "cache 94.4"
    )  # 640 tokens of 36 layers with 8 heads of 128 keys and values, 2 bytes each
    expect(page.locator("#conversation-timeline .scatterlayer path.js-fill").first).to_be_attached()
    row = page.locator(".conversation-value[data-board=rk3588]")
    first, context = row.nth(0), row.nth(5)
    before, longest = first.inner_text(), context.inner_text()
    shot(page, "language-survey")

    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.post_data or request.url))
    page.get_by_label("Prompt tokens").last.evaluate(MOVE, 150)
    expect(first).not_to_have_text(before)
    expect(page.locator("#conversation-prompt-text")).not_to_have_text("512")
    expect(page).to_have_url(re.compile("prompt=2"))
    expect(page.locator("#survey-prompt")).to_have_value(re.compile("^2"))
    expect(context).to_have_text(longest)
    page.locator("#survey-prompt").fill("512")
    page.locator("#survey-prompt").press("Enter")
    expect(first).to_have_text(before)
    page.locator("#conversation-board").click()
    page.get_by_role("option", name="Raspberry Pi 5", exact=True).click()
    expect(sentence).to_contain_text("Raspberry Pi 5 in w4a16")
    assert not [words for words in requests if "survey" in words], requests
    with page.expect_response(lambda answer: "survey-found" in (answer.request.post_data or "")):
        page.evaluate(
            "id => window.dash_clientside.set_props(id, {data: 'dark'})", ShellIds.SCHEME
        )  # the server draws anew
    expect(sentence).to_contain_text("Raspberry Pi 5 in w4a16")

    check_answers(page)


@pytest.mark.long
def test_a_dropped_configuration_becomes_a_selected_mapping(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**QWEN3_4B, "_name_or_path": "Qwen/Qwen3-4B"}))
    page = sign_in("ada")
    expect(surveyed(site, page, config)).to_contain_text("cache 94.4")
    network = parse_qs(urlsplit(page.url).query)["workload"][0]
    page.locator("tr", has_text="RK3588").get_by_role("link", name="Map stages").click()
    expect(page.locator("#new-command")).to_contain_text("rk3588")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    page.locator("#run-short-list tbody tr.click").last.click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
    expect(page.locator("#run-schedule")).to_contain_text("NPU")
    expect(page.get_by_text("Roofline: layers at the clocks of the design").first).to_be_attached()
    shot(page, "language-mapping")
    page.get_by_role("link", name="All boards").click()
    expect(page).to_have_url(re.compile(f"/survey.*workload={network}"))


def surveyed(site: Site, page: Page, config: Path) -> Locator:
    """Drop a configuration on the survey; return the sentence about its conversation."""
    page.goto(f"{site.url}/survey")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose an ONNX or LiteRT file, or a config.json").click()
    chooser.value.set_files(config)
    return page.locator("#conversation-sentence")


def check_answers(page: Page) -> None:
    """Numbers of the browser are those of the server, for a model with full attention and one with windows."""
    draw = random.Random(0)
    conversations = [(1, 1), (512, 128), *[(draw.randint(1, 9000), draw.randint(1, 3000)) for _ in range(4)]]
    boards = some_boards()
    for configuration in (QWEN3_4B, GEMMA3_1B):
        model = read_language_model(configuration, "model")
        given = encoded(conversation_coefficients(model, boards))
        answers: list[dict[str, Any]] = page.evaluate(ANSWERS, [given, conversations])
        for (prompt, answer), found in zip(conversations, answers, strict=True):
            rows = survey_language(model, boards, Conversation(prompt, answer)).devices
            assert {each.device for each in rows} == set(found)
            for row in rows:
                expected = {metric: getattr(row, metric) for metric in METRICS}
                known = {metric: value for metric, value in expected.items() if value is not None}
                assert {metric: found[row.device].get(metric) for metric in known} == pytest.approx(known, rel=1e-6), (
                    row
                )
                assert all(found[row.device].get(metric) is None for metric in set(METRICS) - set(known)), row
