from __future__ import annotations

from frontend.ids.upload import UploadIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.upload.cases import BODY
from tests.support.stored_runs import People


def test_the_page_answers_its_callback(people: People, ask: Ask) -> None:
    answer = ask(
        people.owner, f"{UploadIds.RESULT}.children", {f"{UploadIds.ANSWER}.data": {"status": 201, "body": BODY}}
    )
    assert "net@3" in answer.content.decode()  # the slash is escaped
    assert ask(people.owner, f"{UploadIds.RESULT}.children", {f"{UploadIds.ANSWER}.data": None}).status_code in (
        200,
        204,
    )
