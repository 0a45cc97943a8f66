from __future__ import annotations

import json

import pytest

from frontend.pages.catalogue.document.frame import find
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def test_the_picture_follows_the_scheme(people: People, ask: Ask) -> None:
    document = {"kind": "calibration", "name": "tx2-hadas", "version": 1}
    values = {"scheme.data": "dark", "calibration-document.data": document}
    answer = ask(people.owner, "calibration-picture", values, "scheme.data")
    assert answer.status_code == 200 and "a6 on gpu" in json.dumps(answer.json()["response"])


@pytest.mark.parametrize("name", ["nothing", "tx2-hadas@x"])
def test_an_address_that_leads_nowhere_is_no_error(people: People, name: str) -> None:
    found = find(people.owner, "calibration", name)
    assert found is None or found.entry.slug == "tx2-hadas"
