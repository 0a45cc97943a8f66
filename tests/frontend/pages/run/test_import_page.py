from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def page() -> Any:
    from frontend.bridge import get_app

    get_app()
    from frontend.pages.run import import_page

    return import_page


def test_a_run_that_came_is_offered(page: Any) -> None:
    shown = str(page.import_result({"status": 201, "body": {"id": 12, "title": "Of theirs"}}))
    assert "Run 0012 is here" in shown and "/runs/12" in shown and "Of theirs" in shown


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": 400, "body": {"field": "bundle.designs", "accepted": "x", "message": "M."}}, "nothing of it was stored. M."),
        ({"status": 403, "body": {"message": "You may not."}}, "You may not."),
        ({"status": 500, "body": "<html>"}, "The server did not answer"),
        ({}, "Nothing was stored; try again"),
    ],
)  # fmt: skip
def test_what_did_not_come_is_told(page: Any, answer: dict[str, Any], words: str) -> None:
    shown = str(page.import_result(answer))
    assert "Not imported" in shown and words in shown


def test_nothing_is_shown_before_an_answer_and_a_project_left_open_is_none(page: Any) -> None:
    assert page.show(None) is None and [page.choose_project(each) for each in (None, "lab")] == ["", "lab"]
