from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/runs/999", "/runs/x/y", "/studies/9", "/compare/9", "/reproductions/none", "/catalogue/nothing",
     "/catalogue/hardware/none", "/catalogue/workload/none", "/catalogue/calibration/none", "/catalogue/data/none"],
)  # fmt: skip
def test_an_address_that_leads_nowhere_is_404_in_the_frame_of_the_site(signed_in, path):
    answer = signed_in.get(path)
    assert answer.status_code == 404 and answer["Content-Type"].startswith("text/html")
    assert b"_dash-config" in answer.content, "the page itself says what there is not"


@pytest.mark.parametrize(
    "path",
    ["/", "/new", "/studies", "/studies/new", "/compare", "/compare/", "/catalogue", "/reproductions/scar",
     "/catalogue/hardware/simba-3x3-nvdla", "/catalogue/hardware/simba-3x3-nvdla?version=1"],
)  # fmt: skip
def test_an_address_that_leads_somewhere_is_200(signed_in, path):
    assert signed_in.get(path).status_code == 200


def test_addresses_of_a_site_below_a_path_begin_with_it(signed_in, settings):
    settings.PARETOSCOPE_PREFIX = settings.FORCE_SCRIPT_NAME = "/tools"
    layout = json.dumps(json.loads(signed_in.get("/_dash-layout").content))
    hrefs = set(re.findall(r'"href": "(/[^"]*)', layout))
    assert {"/tools/", "/tools/survey", "/tools/accounts/account/"} <= hrefs
    assert all(each.startswith("/tools/") for each in hrefs), hrefs


def test_windows_are_called_by_what_they_show(people: People, run: Any) -> None:
    for path, title in (
        (f"/runs/{run.pk}", f"{run.title} (run {run.pk}) · Paretoscope"),
        ("/catalogue/hardware/jetson-tx2", "NVIDIA Jetson TX2 (hardware) · Paretoscope"),
        ("/runs/99999", "Run · Paretoscope"),
    ):
        assert f'"title": "{title}"' in page(people.owner, path)
    assert run.title not in page(people.stranger, f"/runs/{run.pk}")
