from __future__ import annotations

import pytest

from frontend.bridge import get_app
from frontend.ids.run import RunIds
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_a_run_that_has_ended_says_what_is_degenerate_and_one_that_goes_on_does_not(
    people: People, run: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.run import result_remarks

    monkeypatch.setattr(result_remarks, "remarks_on_result", lambda *_: ("One design is best",))
    values = {f"{RunIds.STAGE}.data": {}, f"{RunIds.RUN}.data": run.pk}
    answer = ask(people.viewer, f"{RunIds.RESULT_REMARKS}.children", values, f"{RunIds.STAGE}.data")
    assert answer.status_code in (200, 204)
    assert ("One design is best" in answer.content.decode()) is not run.active
