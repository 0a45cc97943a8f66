"""Definitions of terms where they first stand on a page, and the page that lists them."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.site import Site

# Where the first mark of the page lies that can be seen.
_MARK = """() => {
  const marks = [...(CSS.highlights.get("term") || [])].map(each => [each.toString(), each.getBoundingClientRect()]);
  const found = marks.find(([, box]) => box.top > 60 && box.bottom < innerHeight);
  return found && [found[0], found[1].left + found[1].width / 2, found[1].top + found[1].height / 2];
}"""


def test_a_term_tells_its_meaning_and_leads_to_the_glossary(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(site.url + site.first_run)
    terms = page.locator("#terms-here summary")
    expect(terms).to_contain_text("Terms on this page")
    _, x, y = page.wait_for_function(_MARK).json_value()
    page.mouse.move(x, y)
    tip = page.locator("#term-tip")
    expect(tip).to_be_visible()
    tip.get_by_role("link", name="Glossary").click()
    expect(page.locator("#glossary .here")).to_be_in_viewport()
    page.get_by_label("Filter terms and metrics").fill("hypervolume")
    expect(page.locator("#glossary .term:visible dt", has_text="hypervolume")).to_be_visible()
    page.get_by_label("Filter terms and metrics").fill("no such term")
    expect(page.get_by_role("status").filter(has_text="No term or metric")).to_be_visible()
