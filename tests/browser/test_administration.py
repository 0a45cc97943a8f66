"""What administrators set and see: a person reads what a limit leaves, and a worker is drained and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.site import Site

_ADA = (
    "from django.contrib.auth.models import User; from webapp.limits.models import PersonLimits; "
    "ada = User.objects.filter(username='ada'); "
)


@pytest.fixture
def administrator(site: Site) -> Iterator[str]:
    """Ada looks after the site, and may have two runs at a time; afterwards all is as it was."""

    def shell(code: str) -> None:
        site.python("manage.py", "shell", "--no-imports", "-c", _ADA + code)

    shell("ada.update(is_staff=True); PersonLimits.objects.create(person=ada.get(), active_runs=2)")
    yield "ada"
    names = "User.objects.filter(username='grace').update(first_name='', last_name=''); "
    again = "from webapp.runs.models import WorkerBeat; WorkerBeat.objects.update(draining=False)"
    shell(
        f"ada.update(is_staff=False, is_superuser=False); PersonLimits.objects.filter(person=ada.get()).delete(); {names}{again}"
    )


def test_a_limit_says_what_is_left_and_a_worker_is_drained_and_taken_back(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], administrator: str
) -> None:
    page = sign_in(administrator)
    page.goto(f"{site.url}/team")
    row = page.get_by_role("row").filter(has_text="Queued and running runs").filter(has_text="you, in all projects")
    expect(row.get_by_role("cell")).to_have_text(
        ["Queued and running runs", "you, in all projects", "0", "2", "2"], use_inner_text=True
    )
    shot(page, "limits")
    page.goto(f"{site.url}/workers")
    first = page.get_by_role("row").filter(has_text="short runs only")
    first.get_by_role("button", name="Drain").click()
    expect(first.get_by_text("draining", exact=True)).to_be_visible()
    expect(page.get_by_text("nothing left to finish, can be ended.")).to_be_visible()
    shot(page, "workers")
    first.get_by_role("button", name="Take runs again").click()
    expect(first.get_by_text("0 of 1 busy")).to_be_visible()


def test_a_stale_account_form_asks_whose_values_stay(
    site: Site, sign_in: Callable[[str], Page], administrator: str
) -> None:
    site.python("manage.py", "shell", "--no-imports", "-c", f"{_ADA}ada.update(is_superuser=True)")
    page = sign_in(administrator)
    page.goto(f"{site.url}/admin/auth/user/?q=grace")
    page.get_by_role("link", name="grace", exact=True).click()
    beside = page.context.new_page()
    beside.goto(page.url)
    beside.get_by_label("First name").fill("Grace")
    beside.get_by_role("button", name="Save", exact=True).click()
    beside.wait_for_url(re.compile(r"/admin/auth/user/(\?|$)"))
    beside.close()
    page.get_by_label("Last name").fill("Hopper")
    page.get_by_role("button", name="Save", exact=True).click()
    question = page.locator(".conflict")
    expect(question).to_contain_text(
        re.compile("They changed:\\s*First name: empty → Grace\\s*Yours differs from theirs in:")
    )
    expect(question).to_contain_text("Last name: empty → Hopper")
    expect(page.get_by_label("Last name")).to_have_value("Hopper")
    expect(question.get_by_role("button", name="Save mine")).to_be_enabled()
    question.get_by_role("link", name="Take theirs").click()
    expect(page.get_by_label("First name")).to_have_value("Grace")
    expect(page.get_by_label("Last name")).to_have_value("")
