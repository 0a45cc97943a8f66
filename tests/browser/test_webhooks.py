"""A maintainer has a program told of runs that end, and sees what was sent."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.http_receiver import answer, receiver
from tests.support.site import Site


def test_a_program_is_told_and_the_page_says_what_it_answered(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("ada")
    page.goto(f"{site.url}/team")
    with receiver() as server:
        server.respond = lambda handler: answer(handler, 503, b"no room today")
        page.get_by_label("Address of a new webhook").fill("https://127.0.0.1:x/")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_text("url: must be https://HOST")).to_be_visible()
        page.get_by_label("Address of a new webhook").fill(f"{server.url}/told")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_label("Secret of the webhook")).to_have_value(re.compile("^whsec_"))
        page.get_by_role("button", name="Test", exact=True).click()
        look = page.get_by_role("button", name="Look again")
        refused, taken = page.get_by_text("It answered 503."), page.get_by_text("thanks", exact=True)
        look_until(look, refused)
        expect(page.get_by_text("no room today")).to_be_visible()
        server.respond = lambda handler: answer(handler, 200, b"thanks")
        page.get_by_role("button", name="Send again").click()
        look_until(look, taken)
        assert [each.path for each in server.received] == ["/told", "/told"]
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_text(f"{server.url}/told")).to_have_count(0)


def look_until(look: object, told: object) -> None:
    """Press the button until the words are there."""
    for _ in range(60):
        look.click()  # type: ignore[attr-defined]
        try:
            expect(told).to_be_visible(timeout=1_000)  # type: ignore[call-overload]
        except AssertionError:
            continue
        return
    expect(told).to_be_visible()  # type: ignore[call-overload]
