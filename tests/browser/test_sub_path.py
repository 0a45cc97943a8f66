"""A site below a path of a host, behind a real proxy: pages, callbacks, files, REST, sign-in and links in mails."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, expect

from paretoscope_client import Paretoscope
from tests.support.path_proxy import path_proxy
from tests.support.ports import free_port
from tests.support.site import Site, filled_data, running_site

PREFIX = "/tools/paretoscope"
_TOLD = """
import json
from django.contrib.auth import get_user_model
from webapp.api.tokens import make_token
from webapp.runs.models import Run
from webapp.runs.results.summaries import run_url
from webapp.sharing.service import make_link
demo = get_user_model().objects.get(username="demo")
get_user_model().objects.filter(username="ada").update(email="ada@example.org")
token = make_token(demo, "script")[1]
print(json.dumps({"token": token, "run": run_url(Run.objects.get()), "link": make_link(demo, "run", 1, 7).address}))
"""


@pytest.mark.long
@pytest.mark.parametrize("strips", [True, False], ids=["proxy strips the path", "proxy keeps the path"])
def test_a_site_works_below_a_path(browser: Browser, session_folder: Path, tmp_path: Path, strips: bool) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}{PREFIX}"
    variables = {"PARETOSCOPE_PUBLIC_URL": url, "PARETOSCOPE_GUESTS": "1"}
    with (
        running_site(tmp_path / "site", filled_data(session_folder), **variables) as site,
        path_proxy(site.url, port, PREFIX, tmp_path, strips=strips),
    ):
        outside, errors = [], []
        page = browser.new_page(reduced_motion="reduce")
        page.on(
            "request",
            lambda request: (
                outside.append(request.url) if not request.url.startswith((url, "data:", "blob:")) else None
            ),
        )
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(f"{url}/runs/1")
        expect(page).to_have_url(f"{url}/accounts/login/?next={PREFIX}/runs/1")
        page.get_by_label("Username").fill("demo")
        page.get_by_label("Password").fill(site.passwords["demo"])
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(re.compile(re.escape(f"{url}/runs/")))
        expect(page.locator("#run-front .main-svg").first).to_be_visible()
        expect(page.locator("#run-kpis, .kpi").first).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile("design="))
        page.get_by_role("link", name="Home").click()
        expect(page).to_have_url(f"{url}/")
        page.locator(".ag-center-cols-container .run-title").first.click()
        expect(page).to_have_url(re.compile(re.escape(f"{url}/runs/")))
        page.goto(f"{url}/survey")
        page.get_by_role("textbox", name="Network", exact=True).click()
        page.get_by_role("option", name="ResNet-50, 224x224").click()
        expect(page).to_have_url(re.compile(re.escape(f"{url}/survey?workload=")))
        page.get_by_role("button", name="demo: menu").click()
        page.get_by_role("menuitem", name="Sign out").click()
        expect(page).to_have_url(f"{url}/accounts/login/")
        assert (outside, errors) == ([], [])
        assert {each["path"] for each in page.context.cookies()} == {f"{PREFIX}/"}
        page.close()
        _programs(url, site)


def _programs(url: str, site: Site) -> None:
    """REST, its description, the client, and addresses that leave the site."""
    told = json.loads(site.python("manage.py", "shell", "-v0", "-c", _TOLD).strip().splitlines()[-1])
    assert told["run"] == f"{url}/runs/1" and told["link"].startswith(f"{url}/shared/")
    opened = requests.get(told["link"], headers={"Sec-Fetch-Mode": "navigate"}, timeout=60)
    assert opened.url == f"{url}/runs/1" and opened.status_code == 200
    headers = {"Authorization": f"Bearer {told['token']}"}
    schema = requests.get(f"{url}/api/schema/?format=json", headers=headers, timeout=60).json()
    paths = {f"{schema.get('servers', [{'url': ''}])[0]['url']}{path}" for path in schema["paths"]}
    assert f"{PREFIX}/api/v1/runs/" in paths
    problem = requests.get(f"{url}/api/v1/runs/99999/", headers=headers, timeout=60).json()
    assert problem["type"].startswith(f"{PREFIX}/docs/errors/#")
    assert Paretoscope(url, told["token"]).run(1).number == 1
    reset = requests.Session()
    form = reset.get(f"{url}/accounts/password_reset/", timeout=60)
    token = re.search('name="csrfmiddlewaretoken" value="([^"]+)', form.text)[1]  # type: ignore[index]
    data = {"email": "ada@example.org", "csrfmiddlewaretoken": token}
    reset.post(form.url, data, headers={"Referer": form.url}, timeout=60)
    assert f"{url}/accounts/reset/" in (Path(site.variables["PARETOSCOPE_VAR"]) / "log" / "web.log").read_text()
