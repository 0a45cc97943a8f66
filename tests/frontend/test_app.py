from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.django_db


def test_its_page_loads_everything_from_here_and_only_one_plotly(signed_in):
    page = signed_in.get("/").content.decode()
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert addresses and all(address.startswith("/") and not address.startswith("//") for address in addresses)
    assert sum("plotly-strict" in address for address in addresses) == 1
    assert not any("plotly.min.js" in address for address in addresses)


def test_without_scripts_it_says_what_it_needs(signed_in):
    assert "<noscript>" in signed_in.get("/").content.decode()


def test_every_file_of_its_page_exists_and_is_kept_for_long(signed_in, client):
    page = signed_in.get("/").content.decode()
    for address in re.findall(r'(?:src|href)="(/(?:assets|_dash-component-suites)/[^"]+)"', page):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "max-age=" in answer.headers["Cache-Control"] and answer.headers["ETag"]
        if "?m=" in address or ".v" in address:
            assert "immutable" in answer.headers["Cache-Control"]
        assert not answer.cookies
