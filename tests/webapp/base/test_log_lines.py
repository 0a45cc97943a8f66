"""Lines as the site's own handler writes them."""

from __future__ import annotations

import json
import logging
import re
import runpy
from collections.abc import Iterator
from io import StringIO
from logging.config import DictConfigurator
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils.functional import SimpleLazyObject

from tests.support.stored_runs import make_people
from webapp.base.actor import command_line, name_person
from webapp.base.log_lines import JsonLines, TextLines, about_run
from webapp.changes.middleware import ActingMiddleware
from webapp.runs import service
from webapp.runs.queue import claim
from webapp.runs.worker.worker import Worker

logger = logging.getLogger("webapp.anything")


@pytest.fixture
def written() -> Iterator[StringIO]:
    """What the handler writes that the settings have put on the root logger."""
    (handler,) = [handler for handler in logging.getLogger().handlers if handler.get_name() == "console"]
    assert isinstance(handler, logging.StreamHandler)
    stream = StringIO()
    earlier, formatter = handler.setStream(stream), handler.formatter
    yield stream
    handler.setStream(earlier)
    handler.setFormatter(formatter)


@pytest.fixture
def as_json(written: StringIO) -> StringIO:
    (handler,) = [handler for handler in logging.getLogger().handlers if handler.get_name() == "console"]
    handler.setFormatter(JsonLines())
    return written


def answered(view: Any, **headers: str) -> HttpResponse:
    return ActingMiddleware(view)(RequestFactory().get("/", headers=headers))


def test_a_line_about_nothing_has_no_brackets(written: StringIO) -> None:
    logger.warning("Plain %s", "words")
    assert re.fullmatch(r"[-\d]+ [:,\d]+ WARNING webapp\.anything: Plain words\n", written.getvalue())


def test_a_refused_request_is_logged_with_its_identifier_and_who_asked(db: None, written: StringIO) -> None:
    people = make_people()
    client = Client()
    answer = client.get("/accounts/none", headers={"X-Request-ID": "nobody-asks"})
    assert answer.status_code == 404
    client.force_login(people.editor)
    answer = client.get("/api/v1/runs/987654/", headers={"X-Request-ID": "eve-asks-1"})
    assert answer.status_code == 404 and answer.headers["X-Request-ID"] == "eve-asks-1"
    first, second = written.getvalue().splitlines()
    assert first.endswith("WARNING django.request: Not Found: /accounts/none [request=nobody-asks]")
    assert second.endswith(f"Not Found: /api/v1/runs/987654/ [request=eve-asks-1 user={people.editor.pk}]")


def test_the_identifier_of_an_answer_finds_the_lines_that_the_request_wrote(written: StringIO) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        logger.warning("In the middle")
        return HttpResponse()

    first, second = answered(view), answered(view)
    lines = written.getvalue().splitlines()
    assert [line.partition(" [")[2] for line in lines] == [
        f"request={answer.headers['X-Request-ID']}]" for answer in (first, second)
    ]
    logger.warning("Afterwards")
    assert written.getvalue().endswith("Afterwards\n")


def test_a_line_never_asks_who_is_signed_in(written: StringIO) -> None:
    asked: list[str] = []

    def look_up() -> Any:
        asked.append("database")
        return type("Account", (), {"pk": 5})()

    def view(request: HttpRequest) -> HttpResponse:
        request.user = SimpleLazyObject(look_up)  # type: ignore[assignment]
        logger.warning("Before")
        assert not asked
        assert request.user.pk == 5
        logger.warning("Behind")
        return HttpResponse()

    answered(view, **{"X-Request-ID": "abcd-1234"})
    before, behind = written.getvalue().splitlines()
    assert before.endswith("Before [request=abcd-1234]")
    assert behind.endswith("Behind [request=abcd-1234 user=5]")


def test_a_command_is_logged_with_the_account_that_it_acts_for(db: None, written: StringIO) -> None:
    people = make_people()
    with command_line():
        name_person(people.owner)
        logger.warning("Done")
    assert written.getvalue().endswith(f"Done [user={people.owner.pk}]\n")


def test_lines_of_a_worker_name_their_run(
    transactional_db: None, toys: None, written: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = make_people()
    run = service.create(people.owner, {"engine": "toy", "params": {"steps": 1}, "seed": 3}, people.project)

    def refuse(*arguments: Any) -> None:
        raise ValueError("no table takes this")

    monkeypatch.setattr("webapp.runs.worker.run_access.kept_problem", refuse)  # the quickest way for a keeper to fail
    logging.getLogger("webapp.runs.worker.worker").info("Before")
    while Worker("test", 1, claim.Offer()).look():
        pass
    logging.getLogger("webapp.runs.worker.worker").info("Behind")
    heads = [line for line in written.getvalue().splitlines() if re.match(r"\d{4}-", line)]
    assert heads[0].endswith("Before") and heads[-1].endswith("Behind")
    about = heads[1:-1]
    assert any(f"webapp.runs.worker.worker: Run {run.pk}, attempt 1: begins." in line for line in about)
    assert any(f"webapp.runs.worker.run_supervisor: The supervisor of run {run.pk} lost it." in line for line in about)
    assert all(line.endswith(f" [run={run.pk}]") for line in about)


def test_json_is_one_object_a_line_whatever_the_message(as_json: StringIO) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        with about_run(12):
            logger.warning("Two\nlines\u2028and “more”")
        try:
            raise ValueError("broken")
        except ValueError:
            logger.exception("Failed")
        return HttpResponse()

    answered(view, **{"X-Request-ID": "abcd-1234"})
    first, second = (json.loads(line) for line in as_json.getvalue().splitlines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", first.pop("time"))
    assert first == {
        "level": "WARNING",
        "logger": "webapp.anything",
        "message": "Two\nlines\u2028and “more”",
        "request": "abcd-1234",
        "run": 12,
    }
    assert "run" not in second and second["traceback"].endswith("ValueError: broken")


@pytest.mark.parametrize(("value", "kind"), [("", TextLines), ("text", TextLines), ("json", JsonLines)])
def test_the_setting_chooses_between_the_two(value: str, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", value)
    configuration = runpy.run_path("webapp/site/settings.py")["LOGGING"]
    formatter = DictConfigurator(configuration).configure_formatter(configuration["formatters"]["line"])
    assert type(formatter) is kind
