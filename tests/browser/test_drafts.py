"""Text in progress: asked about before it is left, kept in the tab, offered again; whole when the sign-in ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import BrowserContext, Dialog, Locator, Page, Route, expect

from tests.browser.conftest import Watch
from tests.browser.test_scenario import add_network
from tests.support.site import Site


class Questions:
    """Answers what the browser asks; `kinds` are those that were asked."""

    def __init__(self, page: Page) -> None:
        self.kinds: list[str] = []
        self.leave = False
        page.on("dialog", self.answer)

    def answer(self, dialog: Dialog) -> None:
        """Leave the page, or stay."""
        self.kinds.append(dialog.type)
        if self.leave:
            dialog.accept()
        else:
            dialog.dismiss()


@pytest.fixture
def questions(context: BrowserContext) -> Iterator[Questions]:
    """The questions of the page that the test is given."""
    page = context.pages[0]
    found = Questions(page)
    yield found
    page.remove_listener("dialog", found.answer)


def offered(page: Page) -> Locator:
    return page.locator(".draft-strip")


def put_back(page: Page) -> None:
    offered(page).get_by_role("button", name="Put it back").click()


def kept(page: Page) -> int:
    return int(page.evaluate("() => sessionStorage.length"))


@contextmanager
def held(page: Page, output: str) -> Iterator[None]:
    """Hold back the first callback that is sent for an output, until the block has ended."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if routes or output not in (route.request.post_data or "").partition('"outputs"')[0]:
            route.continue_()
        else:
            routes.append(route)

    page.route("**/_dash-update-component*", hold)
    yield
    assert routes, f"nothing was sent for {output}"
    with page.expect_response(lambda response: response.request == routes[0].request):
        routes[0].continue_()


def test_a_report_is_asked_about_and_offered_again(
    site: Site, sign_in: Callable[[str], Page], questions: Questions
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/reports")
    page.get_by_role("link", name="New report").first.click()
    title = page.get_by_label("Title of the report")
    title.fill("Half a thought")
    page.get_by_role("link", name="Catalogue", exact=True).click()
    with page.expect_event("dialog"):
        page.evaluate("history.back()")
    page.wait_for_function("() => location.pathname === '/reports/edit'")
    expect(title).to_have_value("Half a thought")
    assert questions.kinds == ["confirm", "confirm"]
    questions.leave = True
    page.evaluate("history.back()")
    expect(page.get_by_role("heading", name="Reports", exact=True).first).to_be_visible()
    page.go_forward()
    expect(offered(page)).to_contain_text(re.compile("What you typed here .* ago was not saved"))
    put_back(page)
    expect(title).to_have_value("Half a thought")
    page.reload()
    put_back(page)
    expect(title).to_have_value("Half a thought")
    assert questions.kinds[2:] == ["confirm", "beforeunload"]
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(r"/reports/\d+$"))
    assert kept(page) == 0 and len(questions.kinds) == 4


def test_a_page_outlives_its_sign_in_and_notices_another_account(
    site: Site, sign_in: Callable[[str], Page], watch: Watch
) -> None:
    watch.expected.append("Failed to load resource")
    page = sign_in("demo")
    page.goto(f"{site.url}/reports/edit")
    page.get_by_label("Title of the report").fill("Written before")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save").click()
    strip = page.locator("#connection-strip")
    expect(strip).to_contain_text("You are signed out. What you typed stays on this page.")
    assert page.url.endswith("/reports/edit")
    with page.context.expect_page() as opened:
        strip.get_by_role("link", name="Sign in").click()
    beside = opened.value
    beside.get_by_label("Username").fill("grace")
    beside.get_by_label("Password").fill(site.passwords["grace"])
    beside.get_by_role("button", name="Sign in").click()
    expect(beside.get_by_role("heading", name="You are signed in")).to_be_visible()
    page.locator(".refused").get_by_role("button", name="Try again").click()
    expect(page.locator(".refused")).to_contain_text("You are signed in as grace now.")
    expect(strip.get_by_role("button", name="Reload")).to_be_visible()
    expect(page.get_by_label("Title of the report")).to_have_value("Written before")
    beside.goto(f"{site.url}/reports")
    expect(beside.get_by_text("Written before")).to_have_count(0)


def note(page: Page | Locator) -> Locator:
    return page.get_by_role("textbox", name="Note", exact=True)


def first_field(page: Page) -> Locator:
    return page.locator("#hardware-form input[id]").first


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("{run}?tab=notes", note),
        ("/hardware/new", first_field),
        ("/hardware/new?from=jetson-tx2", first_field),
        ("/new?engine=soc-mapping", lambda page: page.get_by_label("Latency above the fastest single unit, at most")),
        ("/new?engine=soc-mapping", lambda page: page.get_by_role("textbox", name="Title", exact=True)),
        ("/studies/new", lambda page: page.get_by_role("textbox", name="Title", exact=True)),
        ("/scenarios/new", lambda page: page.get_by_role("textbox", name="Title", exact=True)),
        ("/catalogue/upload", lambda page: page.get_by_label("Title", exact=True)),
        ("/team", lambda page: page.get_by_label("Name of a new project")),
        ("/team", lambda page: page.get_by_label("Address of a new webhook")),
    ],
)
def test_every_form_keeps_what_was_typed_at_once(
    site: Site, sign_in: Callable[[str], Page], questions: Questions, path: str, field: Callable[[Page], Locator]
) -> None:
    page = sign_in("demo")
    questions.leave = True
    page.goto(site.url + path.format(run=site.first_run))
    field(page).fill("37")
    page.reload()
    assert questions.kinds == ["beforeunload"]
    put_back(page)
    expect(field(page)).to_have_value("37")
    page.wait_for_load_state("networkidle")
    expect(field(page)).to_have_value("37")


@pytest.mark.long
def test_choices_come_back_though_one_fills_others_in(
    site: Site, sign_in: Callable[[str], Page], questions: Questions
) -> None:
    page = sign_in("demo")
    questions.leave = True
    page.goto(f"{site.url}/catalogue/calibrate")

    def choice(name: str | re.Pattern[str]) -> Locator:
        return page.get_by_role("textbox", name=name, exact=True).first

    chosen = {}
    for name in ("Device", "Network", re.compile("^Clock of")):
        choice(name).click()
        page.get_by_role("option").nth(1).click()
        page.wait_for_load_state("networkidle")
        chosen[name] = choice(name).input_value()
    page.reload()
    put_back(page)
    for name, value in chosen.items():
        expect(choice(name)).to_have_value(value)


@pytest.mark.long
def test_what_is_stored_is_not_asked_about(site: Site, sign_in: Callable[[str], Page], questions: Questions) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/hardware/new")
    first_field(page).fill("Stored hardware")
    page.locator("#hardware-save").click()
    expect(page.locator("#hardware-saved")).to_contain_text("Saved as version 1")
    page.get_by_role("link", name="Catalogue", exact=True).first.click()
    expect(page.get_by_role("heading", name="Catalogue").first).to_be_visible()
    page.goto(f"{site.url}{site.first_run}?tab=notes")
    note(page).fill("Stored note")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator(".note").get_by_text("Stored note")).to_be_visible()
    page.get_by_role("link", name="Catalogue", exact=True).first.click()
    expect(page.get_by_role("heading", name="Catalogue").first).to_be_visible()
    assert questions.kinds == [] and kept(page) == 0


def test_what_is_stored_beside_a_form_leaves_what_is_typed_in_it(
    site: Site, sign_in: Callable[[str], Page], questions: Questions
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/team")
    page.get_by_label("Name of a new project").fill("Drafts of a team")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/team/drafts-of-a-team*")
    whom, hook = page.get_by_label("Whom to invite"), page.get_by_label("Address of a new webhook")
    whom.fill("new@example.org")
    hook.fill("https://example.org/typed")
    page.get_by_role("textbox", name="Name", exact=True).fill("Drafts of two teams")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drafts of two teams")
    put_back(page)
    expect(whom).to_have_value("new@example.org")
    put_back(page)
    expect(hook).to_have_value("https://example.org/typed")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_label("Link of the invitation")).to_be_visible()
    expect(whom).to_have_value("")
    page.wait_for_load_state("networkidle")
    expect(offered(page)).to_have_count(0)
    expect(hook).to_have_value("https://example.org/typed")
    assert questions.kinds == [], "nothing is asked about what is stored or kept"
    questions.leave = True
    page.reload()
    assert questions.kinds == ["beforeunload"]
    put_back(page)
    expect(hook).to_have_value("https://example.org/typed")
    expect(whom).to_have_value("")


def test_what_is_typed_while_a_form_beside_it_is_stored_stays(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/team")
    page.get_by_label("Name of a new project").fill("Typed meanwhile")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/team/typed-meanwhile*")
    name = page.get_by_role("textbox", name="Name", exact=True)

    page.get_by_label("Whom to invite").fill("new@example.org")
    with held(page, "team-body"):
        page.get_by_role("button", name="Invite").click()
        name.fill("Typed since")
    expect(page.get_by_label("Link of the invitation")).to_be_visible()
    expect(name).to_have_value("Typed since")
    expect(offered(page)).to_have_count(0)


def test_an_answer_leaves_what_is_typed_in_its_fields_meanwhile(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/reports/edit")
    text = page.locator("#report-text")
    page.get_by_label("Title of the report").fill("Typed in time")
    page.get_by_role("textbox", name="Runs", exact=True).click()
    page.get_by_role("option").first.click()
    with held(page, "report-text"):
        page.get_by_role("button", name="Insert", exact=True).click()
        text.press("Control+Home")
        page.keyboard.type("Typed ")
    expect(text).to_have_value(re.compile(r"^Typed ## Question.*\[\[front run=\d+\]\]\n$", re.DOTALL))
    page.wait_for_function("() => document.getElementById('report-text').selectionStart === 6")
    page.keyboard.type("first. ")
    expect(text).to_have_value(re.compile("^Typed first. ## Question"))
    with held(page, "report-location"):
        page.get_by_role("button", name="Save").click()
        text.press("Control+End")
        page.keyboard.type("Too late.")
    expect(page).to_have_url(re.compile(r"/reports/\d+$"))
    page.goto(f"{site.url}/reports/edit")
    put_back(page)
    expect(text).to_have_value(re.compile("Too late.$"))


def test_rows_and_boxes_that_are_drawn_again_keep_what_was_chosen_meanwhile(
    site: Site, sign_in: Callable[[str], Page]
) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/scenarios/new?networks=resnet-18,bert-base-64")
    rate = page.get_by_label(re.compile("^Rate of")).first
    with held(page, "scenario-models"):
        page.get_by_role("button", name="Remove BERT-base, 64 tokens").click()
        rate.press("Control+A")
        page.keyboard.type("45")
    expect(page.locator("#scenario-models")).not_to_contain_text("BERT")
    expect(rate).to_have_value("45")
    expect(rate).to_be_focused()
    page.goto(f"{site.url}/team")
    page.get_by_label("Name of a new project").fill("Boxes")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/team/boxes*")
    new = page.locator(".webhook-new")
    box = new.get_by_role("checkbox").first
    page.get_by_label("Address of a new webhook").fill("no address")
    with held(page, "webhooks-body"):
        new.get_by_role("button", name="Add").click()
        box.uncheck()
    expect(page.locator("#webhooks-body")).to_contain_text("Got 'no address' instead")
    expect(box).not_to_be_checked()
    page.reload()
    put_back(page)
    expect(box).not_to_be_checked()


def test_an_answer_and_what_is_typed_meanwhile_are_put_together(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/reports")
    page.wait_for_function("() => window.paretoscopeFields")
    for before, answer, typed, together in (
        ("text", "text", "text more", "text more"),
        ("text", "text\nblock", "my text", "my text\nblock"),
        ("text", "head\ntext", "text more", "head\ntext more"),
        ("stored", "", "stored and more", " and more"),
        ("a b c", "a B c", "a b c d", "a B c d"),
        ("a b c", "x y z", "a bb c", "x y zb"),
    ):
        found = page.evaluate("texts => window.paretoscopeFields.merged(...texts).text", [before, answer, typed])
        assert found == together, (before, answer, typed)


@pytest.mark.long
def test_rows_of_a_scenario_come_back_with_what_was_typed_in_them(
    site: Site, sign_in: Callable[[str], Page], questions: Questions
) -> None:
    page = sign_in("demo")
    questions.leave = True
    page.goto(f"{site.url}/scenarios/new?networks=resnet-18,bert-base-64")
    rows = page.locator("#scenario-models")
    page.get_by_role("button", name="Remove BERT-base, 64 tokens").click()
    expect(rows).not_to_contain_text("BERT")
    add_network(page, "vgg-11", "VGG-11, 224x224")
    page.get_by_label("Rate of VGG-11").fill("30")
    page.reload()
    expect(rows).to_contain_text("BERT")
    put_back(page)
    expect(rows).to_contain_text("VGG-11")
    expect(rows).not_to_contain_text("BERT")
    expect(page.get_by_label("Rate of VGG-11")).to_have_value("30")


def test_an_open_note_outlives_another_one_and_a_second_tab_asks(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}{site.first_run}?tab=notes")
    for words in ("First note", "Second note"):
        note(page).last.fill(words)
        page.get_by_role("button", name="Add note").click()
        expect(page.locator(".note-text", has_text=words)).to_be_visible()
    first, second = (page.locator(".note", has_text=words) for words in ("First note", "Second note"))
    number = str(first.get_attribute("id"))
    first.get_by_role("button", name="Change the note").click()
    first = page.locator(f"#{number}")
    note(first).fill("First note, longer")
    second.get_by_role("button", name="Change the note").click()
    expect(page.get_by_role("button", name="Leave it")).to_have_count(2)
    expect(note(first)).to_have_value("First note, longer")
    beside = page.context.new_page()
    beside.goto(page.url)
    beside.locator(f"#{number}").get_by_role("button", name="Change the note").click()
    note(beside.locator(f"#{number}")).fill("First note, from another tab")
    beside.locator(f"#{number}").get_by_role("button", name="Save").click()
    expect(beside.locator(f"#{number}")).to_contain_text("from another tab")
    beside.close()
    first.get_by_role("button", name="Save").click()
    expect(first.get_by_role("alert")).to_contain_text("First note, from another tab")
    expect(note(first)).to_have_value("First note, longer")
    first.get_by_role("button", name="Take theirs").click()
    expect(note(first)).to_have_value("First note, from another tab")
    note(first).fill("First note, of both")
    first.get_by_role("button", name="Save").click()
    expect(first.locator(".note-text")).to_have_text("First note, of both")
