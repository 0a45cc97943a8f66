"""Signing in, the account's pages and the pages for errors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.views import defaults
from django.views.csrf import csrf_failure

from tests.webapp.site.pages_for_tests import PASSWORD


@pytest.fixture
def client(ann: Any) -> Client:
    found = Client()
    found.force_login(ann)
    return found


def _assert_own_page(html: str) -> None:
    """Only files of this site, all of them there; no inline script."""
    assert re.findall(r"<script[^>]*>[^<]+</script>", html) == []
    addresses = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"', html)
    assert len(addresses) >= 6
    for address in addresses:
        assert address.startswith("/static/") and finders.find(address.removeprefix("/static/")), address


def test_it_signs_in_and_goes_on(ann: Any) -> None:
    client = Client()
    page = client.get("/accounts/login/", {"next": "/runs/12"}).content.decode()
    _assert_own_page(page)
    assert "Sign in to see that page." in page
    answer = client.post("/accounts/login/", {"username": "ann", "password": PASSWORD, "next": "/runs/12"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/runs/12")


def test_it_does_not_lead_elsewhere(ann: Any) -> None:
    form = {"username": "ann", "password": PASSWORD, "next": "https://example.org/"}
    assert Client().post("/accounts/login/", form).headers["Location"] == "/"


def test_it_refuses_a_wrong_password(ann: Any) -> None:
    page = Client().post("/accounts/login/", {"username": "ann", "password": "wrong"}).content.decode()
    assert 'role="alert"' in page and "correct username and password" in page


def test_it_makes_those_who_guess_wait(ann: Any) -> None:
    """Ten wrong passwords from one address close the account for that address, even for the right one; others get in."""
    client = Client(REMOTE_ADDR="192.0.2.1")
    wrong, right = ({"username": "ann", "password": password} for password in ("wrong", PASSWORD))
    codes = [client.post("/accounts/login/", wrong).status_code for _ in range(10)]
    assert codes == [200] * 9 + [429]
    page = client.post("/accounts/login/", right)
    assert page.status_code == 429
    _assert_own_page(page.content.decode())
    assert "was wrong 10 times" in page.content.decode()
    assert Client(REMOTE_ADDR="192.0.2.2").post("/accounts/login/", right).status_code == 302


def test_it_signs_out_by_post_only(client: Client) -> None:
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").headers["Location"] == "/accounts/login/"
    assert client.get("/accounts/token/").status_code == 302


def test_it_changes_the_password(client: Client, ann: Any) -> None:
    url = "/accounts/password_change/"
    _assert_own_page(client.get(url).content.decode())
    short = client.post(
        url, {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    ).content.decode()
    assert "was not changed" in short and "too short" in short
    new = "another-long-password"
    done = client.post(url, {"old_password": PASSWORD, "new_password1": new, "new_password2": new}, follow=True)
    assert "counts from now on" in done.content.decode()
    ann.refresh_from_db()
    assert ann.check_password(new)


def test_the_token_page_is_one_of_ours(client: Client) -> None:
    _assert_own_page(client.get("/accounts/token/").content.decode())
    made = client.post("/accounts/token/", {"name": "Laptop", "scope": "read", "days": "30"})
    assert "Copy the token now." in made.content.decode() and "no-store" in made.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["400", "403", "404", "500"])
def test_it_has_pages_for_errors(name: str) -> None:
    page = render_to_string(f"{name}.html")
    _assert_own_page(page)
    assert f"Error {name}" in page


def test_django_uses_them(rf: RequestFactory) -> None:
    request = rf.get("/nowhere")
    assert b"Page not found" in defaults.page_not_found(request, Exception()).content
    assert b"Server error" in defaults.server_error(request).content
    assert b"You lack the role for this" in defaults.permission_denied(request, Exception()).content
    assert b"has expired" in csrf_failure(request).content


def test_the_admin_takes_the_colours_of_the_explorer(admin_client: Client) -> None:
    page = admin_client.get("/admin/").content.decode()
    assert "Paretoscope administration" in page and "Django administration" not in page
    sheet = Path(str(finders.find("site/admin.css"))).read_text()
    tokens = Path(str(finders.find("ui/tokens.css"))).read_text()
    used = set(re.findall(r"var\((--p-[\w-]+)\)", sheet + Path(str(finders.find("site/site.css"))).read_text()))
    assert len(used) >= 20 and all(f"{name}:" in tokens for name in used)
    assert not re.search(r"#[0-9A-Fa-f]{3,8}\b(?!\s*\{)", sheet.replace("#header", "").replace("#site-name", ""))
