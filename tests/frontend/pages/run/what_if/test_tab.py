from __future__ import annotations

from typing import Any

import pytest

from frontend.ids.what_if import WhatIfIds
from frontend.pages.run.run_reader import designs_of
from hardware.package.loader import builtin_hardware
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel, values
from tests.support.stored_runs import People
from tests.webapp.runs.results.test_moved_hardware import SLUG, give_package
from webapp.catalogue.models import DocumentVersion
from webapp.runs.models import Run
from webapp.runs.results.design_variants import MovedDesigns

MOVED = {"n": 7, "values": {"hardware": {"clock": 800.0}}}


@pytest.fixture
def on_package(run: Run) -> Run:
    return give_package(run, builtin_hardware()[SLUG])


def test_the_tab_has_a_slider_for_every_figure_or_says_that_there_is_none(people: People, run: Run, ask: Ask) -> None:
    assert "Nothing to move" in panel(ask, people.viewer, run, "what-if")
    give_package(run, builtin_hardware()[SLUG])
    content = panel(ask, people.editor, run, "what-if")
    for words in ("Link bandwidth", "Shared buffer", "Keep as a new version", "No metric of this design changes."):
        assert words in content
    assert "Keep as a new version" not in panel(ask, people.viewer, run, "what-if")


def test_a_position_is_answered_with_its_number_and_the_design(
    people: People, on_package: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def moved(run: Run, given: Any, number: int | None, together: bool, population: Any) -> MovedDesigns:
        asked.append((given, number, together))
        found = designs_of(run)
        stored = {name: float(column[3]) for name, column in found.columns.items()}
        numbers = found.front.tolist()
        return MovedDesigns(
            {**stored, "latency_s": 9.0}, "", numbers, {n: c[numbers].tolist() for n, c in found.columns.items()}
        )

    monkeypatch.setattr("frontend.pages.run.what_if.tab.try_on", moved)
    given = values(on_package, **{f"{WhatIfIds.POSITION}.data": MOVED, f"{WhatIfIds.TOGETHER}.data": MOVED})
    found = ask(people.viewer, f"{WhatIfIds.MOVED}.children", given, f"{WhatIfIds.POSITION}.data").json()["response"]
    assert (
        found[WhatIfIds.ANSWERED]["data"]["n"] == 7 and found[WhatIfIds.ANSWERED]["data"]["design"]["latency_s"] == 9.0
    )
    found = ask(people.viewer, f"{WhatIfIds.FRONT}.figure", given, f"{WhatIfIds.TOGETHER}.data").json()["response"]
    assert found[WhatIfIds.DRAWN]["data"] == {"n": 7} and "stay on it" in found[WhatIfIds.FRONT_WORDS]["children"]
    assert asked == [({"hardware": {"clock_mhz": 800.0}}, 3, False), ({"hardware": {"clock_mhz": 800.0}}, None, True)]


def test_keeping_is_for_those_who_may_edit(people: People, on_package: Run, ask: Ask) -> None:
    given = values(on_package, **{f"{WhatIfIds.POSITION}.data": MOVED, f"{WhatIfIds.KEEP}.n_clicks": 1})
    key = f"{WhatIfIds.KEPT}.children"
    ask(people.viewer, key, given, f"{WhatIfIds.KEEP}.n_clicks")
    assert not DocumentVersion.objects.exists()
    assert "Kept as" in str(ask(people.editor, key, given, f"{WhatIfIds.KEEP}.n_clicks").json())
    assert DocumentVersion.objects.count() == 1
