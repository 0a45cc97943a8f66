"""A cursor over traces, by keyboard: its values are told; it is one for all traces that end together, of a run and of several."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.site import Site

COMMAND = (
    "manage.py", "explore", "sbrs", "--input", "environment=uav-two-hour-flight", "--input", "battery=uav-example-battery",
    "--user", "demo",
)  # fmt: skip
RANGES = "plots => plots.map(plot => plot._fullLayout.xaxis.range.map(end => Math.round(1000 * end)))"


def told(strips: Locator) -> list[str]:
    """The values at the cursor, picture by picture."""
    words = strips.locator("xpath=..").locator(".time-words").all_inner_texts()
    return [text.replace("\u00a0", " ") for text in words]


def moment(page: Page) -> str:
    """What the cursors' flags say; the same on all."""
    flags = {text.replace("\u00a0", " ") for text in page.locator(".time-rule:visible").all_inner_texts()}
    assert len(flags) == 1, flags
    return flags.pop()


def expect_moment(page: Page, text: str) -> None:
    """All cursors come to stand at that moment."""
    for rule in page.locator(".time-rule:visible").all():
        expect(rule).to_have_text(re.compile("^" + text.replace(" ", r"\s") + "$"))


@pytest.mark.long
def test_arrow_keys_read_values_at_one_moment_of_all_traces(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    runs = [re.findall(r"/runs/(\d+)", site.python(*COMMAND, "--seed", seed))[-1] for seed in ("0", "2")]
    page = sign_in("demo")
    page.goto(f"{site.url}/runs/{runs[0]}?tab=traces")
    strips = page.locator(".panel-traces .time-strip")
    expect(strips.locator(".main-svg .scatterlayer").first).to_be_visible()
    address = page.url
    strips.first.focus()
    page.keyboard.press("Home")
    expect(page.locator(".panel-traces .time-rule:visible")).to_have_count(strips.count())
    assert strips.count() > 1
    expect_moment(page, "0 min")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect_moment(page, "11 min")  # a tenth of two hours less a hundredth
    live = strips.first.locator("xpath=..").locator(".time-words")
    expect(live).to_contain_text(re.compile(r"at 11\smin"))
    assert all(re.match(r"at 11 min: .+ [\d.]+ (W|%)", words) for words in told(strips)), told(strips)
    expect(live).to_have_attribute("aria-live", "polite")
    assert page.url == address, "the arrows did not step along the front"
    shot(page, "traces-cursor")
    page.keyboard.press("End")
    expect_moment(page, "120 min")

    # Zoomed in, all show the same part, the cursor stays in view and its time gets the digits that tell its steps apart.
    for key in ("+", "+", "+", "Shift+ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".panel-traces .time-rule:visible").first).to_have_text(re.compile(r"118\.[34]\smin"))
    every = "[...document.querySelectorAll('.panel-traces .time-strip .js-plotly-plot')]"
    page.wait_for_function(f"() => ({RANGES})({every}).every(range => String(range) === '105000,120000')")
    page.keyboard.press("Escape")
    expect(page.locator(".panel-traces .time-rule:visible")).to_have_count(0)
    expect(live).to_be_empty()

    # The pointer reads values, too, but what it passes is not read out.
    strips.first.hover()
    expect(live).to_contain_text("at 1")
    expect(live).to_have_attribute("aria-live", "off")

    page.goto(f"{site.url}/compare?runs={','.join(runs)}")
    strips = page.locator(".compare-traces .time-strip")
    expect(strips.locator(".main-svg .scatterlayer").first).to_be_visible()
    strips.last.focus()
    page.keyboard.press("]")
    expect(page.locator(".compare-traces .time-rule:visible").first).to_be_visible()
    first = moment(page)
    page.keyboard.press("]")
    expect(page.locator(".compare-traces .time-rule:visible").first).not_to_have_text(
        first
    )  # stretch by stretch of the flight
    words = told(strips)
    assert len(words) == strips.count() >= 4 and all(text.startswith(f"at {moment(page)}: ") for text in words)
    shot(page, "compare-traces-cursor")
