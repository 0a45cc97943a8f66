from __future__ import annotations

import json

import pytest

from tests.frontend.signed_in import words

pytestmark = pytest.mark.django_db


def test_the_layout_belongs_to_whoever_asks(signed_in, ann):
    texts = words(signed_in.get("/_dash-layout").json())
    assert "ann" in texts and "/admin/" not in texts
    ann.is_staff = True
    ann.save()
    assert "/admin/" in words(signed_in.get("/_dash-layout").json())


def test_the_layout_remembers_scheme_and_size_of_the_window(signed_in):
    signed_in.cookies["paretoscope_scheme"] = "dark"
    signed_in.cookies["paretoscope_viewport"] = "1280x720"
    stores = json.loads(signed_in.get("/_dash-layout").content)["props"]["children"]
    data = {part["props"].get("id"): part["props"].get("data") for part in stores}
    assert data["scheme"] == "dark" and data["viewport"] == {"width": 1280, "height": 720}


@pytest.mark.parametrize("value", ["", "x", "<script>", "12x", "1e3x2"])
def test_the_layout_ignores_cookies_that_make_no_sense(signed_in, value):
    signed_in.cookies["paretoscope_scheme"] = signed_in.cookies["paretoscope_viewport"] = value
    stores = json.loads(signed_in.get("/_dash-layout").content)["props"]["children"]
    data = {part["props"].get("id"): part["props"].get("data") for part in stores}
    assert data["scheme"] == "light" and data["viewport"] == {"width": 1440, "height": 900}
