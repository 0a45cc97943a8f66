"""A design is changed by hand: by the pointer and by keys, refused with a reason, undone, and kept among the designs."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.test_accessibility import accessible
from tests.support.site import Site


def test_segments_are_dragged_and_moved_by_keys_and_the_design_is_kept(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?design=12&tab=edit")
    said, boards = page.locator("#edit-said"), page.locator("#edit-boards")
    expect(boards.locator(".edit-cell").first).to_be_visible(timeout=RUN_MS)
    expect(page.locator("#edit-figures table").first).to_be_visible()
    accessible(page)

    # Onto every other chiplet, one after the other, until one is refused and one is possible.
    answers = []
    piece = boards.locator(".edit-grid .edit-piece").first
    name = piece.get_attribute("data-piece")
    for number in range(boards.locator(".edit-cell").count()):
        cell = boards.locator(".edit-cell").nth(number)
        if cell.locator(f'[data-piece="{name}"]').count() == 0:
            drag(page, boards.locator(f'[data-piece="{name}"]'), cell)
            expect(said).to_have_text(re.compile(r"^Not possible|In all:"), timeout=RUN_MS)
            expect(boards).not_to_have_class(re.compile("waits"))
            answers.append(said.inner_text().startswith("Not possible"))
            page.evaluate("document.getElementById('edit-said').textContent = ''")
        if True in answers and False in answers:
            break
    assert True in answers and False in answers, answers

    # Ctrl+Z takes the move back.
    boards.locator(f'[data-piece="{name}"]').focus()
    while boards.get_by_role("button", name="Undo").is_enabled():
        page.keyboard.press("Control+z")
        expect(boards).not_to_have_class(re.compile("waits"))
    expect(page.get_by_role("button", name="Keep as my design")).to_be_disabled()

    # A cut, by keys; the focus stays on it.
    part = boards.get_by_label("Part of the design")
    windows = [each.inner_text() for each in part.locator("option").all()] if part.count() else [""]
    cut = boards.locator(".edit-line .edit-piece").first
    for window in windows:
        if window:
            part.select_option(window)
        if cut.count():
            break
    # An answer that does not allow the one direction allows the other; both before an answer would be no change.
    for key in ("ArrowRight", "ArrowLeft"):
        page.evaluate("document.getElementById('edit-said').textContent = ''")
        cut.focus()
        page.keyboard.press(key)
        expect(said).to_have_text(re.compile("Not possible|In all:|no further place"), timeout=RUN_MS)
        if "In all:" in said.inner_text():
            break
    expect(said).to_have_text(re.compile("In all:"), timeout=RUN_MS)
    expect(cut).to_be_focused()
    expect(page.locator("#edit-figures")).to_contain_text("Edited")

    page.get_by_role("button", name="Keep as my design").click()
    kept = page.locator("#edit-kept")
    expect(kept).to_contain_text(re.compile(r"Kept as By hand \d+, design \d+"), timeout=RUN_MS)
    kept.get_by_role("link", name="Show it").click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
    expect(page.get_by_role("heading", name=re.compile("By hand"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("By hand"))).to_be_visible()


def drag(page: Page, piece: Locator, to: Locator) -> None:
    """By the pointer, in some steps."""
    piece.scroll_into_view_if_needed()
    start, end = piece.bounding_box(), to.bounding_box()
    assert start and end
    page.mouse.move(start["x"] + 6, start["y"] + 6)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] - 6, steps=4)
    page.mouse.up()
