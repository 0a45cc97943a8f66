from __future__ import annotations

from typing import Any

from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import draft_json
from tests.frontend.conftest import Ask
from tests.frontend.pages.hardware_form.cases import BASE
from tests.support.stored_runs import People
from webapp.catalogue.service import copy_of, store_version


def test_what_is_changed_and_not_saved_says_so(people: People, ask: Ask) -> None:
    def said(content: Any, stored: Any = None) -> str:
        given = {
            f"{Ids.DRAFT}.data": draft_json(content, []), f"{Ids.PROJECT}.value": "lab", f"{Ids.STORED}.data": stored,
            f"{Ids.OPENED}.data": BASE, "scheme.data": "light",
        }  # fmt: skip
        answer = ask(people.owner, f"{Ids.PICTURE}.children", given, f"{Ids.DRAFT}.data").json()["response"]
        return str(answer[Ids.UNSAVED]["children"])

    changed = {**BASE, "clock_mhz": 600}
    assert (said(BASE), said(changed)) == ("", "Not saved yet.")
    assert (said(changed, changed), said(BASE, changed)) == ("", "Changed since the last save.")
    # The name that saving writes into the lineage of a copied device is no change of the person's.
    copied = copy_of(people.owner, "hardware", "jetson-agx-xavier")
    kept = store_version(people.owner, people.project, "hardware", copied).content
    assert kept != copied and said(copied, kept) == ""
    assert said({**copied, "title": "Another"}, kept) == "Changed since the last save."
