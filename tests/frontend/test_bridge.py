from __future__ import annotations

import gzip
import io
import json
import re

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from PIL import Image

from frontend.public_files import PublicFilesMiddleware, source_of
from tests.frontend.signed_in import words

pytestmark = pytest.mark.django_db


def test_it_sends_people_who_are_not_signed_in_to_the_login_form(client):
    answer = client.get("/runs/7?design=3")
    assert answer.status_code == 302
    assert answer.url == "/accounts/login/?next=/runs/7%3Fdesign%3D3"


@pytest.mark.parametrize("path", ["/_dash-layout", "/_dash-dependencies"])
def test_it_answers_callbacks_of_signed_out_people_with_401(client, path):
    answer = client.get(path)
    assert answer.status_code == 401
    assert answer.json() == {"detail": "Sign in to continue."}


def test_it_refuses_posts_of_signed_out_people(client):
    answer = client.post("/_dash-update-component", b"{}", content_type="application/json")
    assert answer.status_code == 401


def test_it_refuses_a_callback_without_the_token(signed_in):
    assert signed_in.get("/_dash-layout").status_code == 200
    assert signed_in.post("/_dash-update-component", b"{}", content_type="application/json").status_code == 403


def test_it_accepts_a_callback_with_the_token_that_the_page_set(signed_in):
    token = signed_in.get("/").cookies["csrftoken"].value
    body = {
        "output": "..nav-home.className...nav-explore.className..",
        "outputs": [],
        "inputs": [],
        "changedPropIds": [],
    }
    answer = signed_in.post(
        "/_dash-update-component", json.dumps(body), content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert answer.status_code != 403


def test_its_policy_allows_no_foreign_or_inline_script(signed_in):
    answer = signed_in.get("/")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
    scripts = policy["script-src"].split()
    assert scripts[0] == "'self'" and all(source.startswith("'sha256-") for source in scripts[1:])
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_its_inline_scripts_are_those_that_the_policy_names(signed_in):
    import base64
    import hashlib

    answer = signed_in.get("/")
    page = answer.content.decode()
    inline = re.findall(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>(.*?)</script>", page, re.DOTALL)
    assert inline
    for script in inline:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in answer.headers["Content-Security-Policy"]


def test_its_files_are_compressed_and_not_sent_twice(client):
    answer = client.get("/assets/base.css", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    plain = client.get("/assets/base.css")
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(answer.getvalue()) == plain.getvalue()
    again = client.get("/assets/base.css", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.getvalue()) == (304, b"")


@pytest.mark.parametrize("debug", [False, True])
def test_its_icon_is_where_browsers_ask_for_it_unbidden(client, settings, debug):
    settings.DEBUG = debug
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/x-icon")
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert Image.open(io.BytesIO(answer.getvalue())).info["sizes"] == {(16, 16), (32, 32)}
    again = client.get("/favicon.ico", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.getvalue()) == (304, b"")
    assert client.head("/favicon.ico").status_code == 200
    assert client.get("/favicon.ico/more").status_code == client.get("/team/favicon.ico").status_code == 302


def test_addresses_of_one_file_are_one_entry_in_memory_and_on_disk(settings, tmp_path):
    settings.PARETOSCOPE_VAR = tmp_path  # the folder of all tests has the files that they asked for
    files = PublicFilesMiddleware(lambda request: HttpResponse(status=404))
    ask = RequestFactory().get
    for number in range(30):
        component = f"/_dash-component-suites/dash_ag_grid/dash_ag_grid.v1_{number}m{number}.min.js"
        for address in (f"/assets/base.css?q={number}", component, f"/assets/none-{number}.css"):
            files(ask(address, headers={"Accept-Encoding": "gzip"})).close()
    assert len(files._found) == 2
    assert len(list((tmp_path / "packed").iterdir())) == 2


@pytest.mark.parametrize(
    "name", ["\x00", "../app.py", "//base.css", "a" * 5000, ".hidden", "vendor", "\udc00", "%2e%2e/app.py"]
)
def test_only_files_of_the_assets_are_public(name):
    assert source_of(f"/assets/{name}") is None
    assert source_of(f"/_dash-component-suites/dash/{name}") is None


def test_answers_for_one_person_are_compressed_for_browsers_that_take_it(signed_in):
    packed = signed_in.get("/_dash-layout", headers={"accept-encoding": "br, gzip"})
    plain = signed_in.get("/_dash-layout")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert json.loads(gzip.decompress(packed.content)).keys() == plain.json().keys()
    assert len(packed.content) < len(plain.content) / 3
    for answer in (packed, plain):
        assert {"Cookie", "Accept-Encoding"} <= set(answer.headers["Vary"].split(", "))
        assert answer.headers["Cache-Control"] == "private, no-store"


def test_a_file_that_is_not_there_is_404(client):
    assert client.get("/assets/no-such-file.css").status_code == 404
    assert client.get("/assets/../bridge.py").status_code == 404
    assert client.post("/assets/base.css").status_code == 405


def test_signing_out_takes_a_post_with_the_token_of_the_page(signed_in):
    value, *_ = (text for text in words(signed_in.get("/_dash-layout").json()) if re.fullmatch(r"\w{64}", text))
    assert signed_in.post("/accounts/logout/").status_code == 403
    assert signed_in.post("/accounts/logout/", {"csrfmiddlewaretoken": value}).status_code == 302
    assert signed_in.get("/_dash-layout").status_code == 401
