from __future__ import annotations

from typing import ClassVar

from frontend.ids.run import RunIds
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_the_page_of_a_run_and_of_no_run(people: People, run: Run, ask: Ask) -> None:
    from frontend.bridge import get_app
    from frontend.request import serving

    get_app()  # pages register themselves with an application
    from frontend.pages.run.page import layout

    class Request:
        user = people.viewer
        COOKIES: ClassVar[dict[str, str]] = {}

    with serving(Request()):  # type: ignore[arg-type]
        assert RunIds.FRONT in str(layout(run_id=str(run.pk)))
        assert "has no design" not in str(layout(run_id=str(run.pk), design="0"))
        for wrong in ("999999", "x"):
            assert f"This run has no design {wrong}" in str(layout(run_id=str(run.pk), design=wrong))
        Request.user = people.stranger
        foreign, missing = str(layout(run_id=str(run.pk))), str(layout(run_id="999999"))
        assert foreign == missing == str(layout(run_id="nonsense"))
        assert "There is no such run here" in foreign
