"""Whatever is sent to a callback, the answer is no fault of the server and the log has one line."""

from __future__ import annotations

import json
from typing import Any

import flask
import pytest
from django.test import Client

from engines.contract.errors import BusyError
from frontend import callback_bodies
from frontend.bridge import get_app
from frontend.callback_bodies import answer_errors
from frontend.request import CALLBACKS
from webapp.api.parsers import MOST_CONTAINERS, MOST_VALUES
from webapp.base.actor import Actor, acting

GARBAGE: tuple[Any, ...] = (None, -1, 1e308, "\u202e/../%s", [[]], {"a": {"b": [None]}}, True, "9" * 400)
TAKEN = "of a callback"  # stands for an output that this site has
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callback_bodies, "_said", {})


@pytest.fixture
def client(django_user_model: Any) -> Client:
    found = Client(raise_request_exception=False)
    found.force_login(django_user_model.objects.create_user("ann"))
    return found


def send(client: Client, body: Any) -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(CALLBACKS, data, content_type="application/json")


def outputs_of(output: str) -> Any:
    """What the browser says of a callback's outputs: one, or a list."""
    names = output.strip(".").split("...") if output.startswith("..") else [output]
    parts = [name.partition("@")[0].rpartition(".") for name in names]
    found = [{"id": json.loads(each) if each.startswith("{") else each, "property": name} for each, _, name in parts]
    return found if output.startswith("..") else found[0]


def body_of(output: str, value: Any) -> dict[str, Any]:
    called = get_app().callback_map[output]
    given = {
        key: [{"id": each["id"], "property": each["property"], "value": value} for each in called[key]]
        for key in ("inputs", "state")
    }
    changed = [f"{each['id']}.{each['property']}" for each in given["inputs"][:1]]
    return {"output": output, "outputs": outputs_of(output), "changedPropIds": changed, **given}


def test_garbage_for_every_callback_is_no_fault_of_the_server(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    found: dict[int, list[str]] = {}
    for number, output in enumerate(list(get_app().callback_map)):
        caplog.clear()
        answer = send(client, body_of(output, GARBAGE[number % len(GARBAGE)]))
        found.setdefault(answer.status_code, []).append(output)
        assert not [record for record in caplog.records if record.exc_info], output
        assert len(caplog.records) <= (answer.status_code >= 400), [output, caplog.messages]
    assert set(found) <= {200, 204, 400, 404}, {code: names for code, names in found.items() if code >= 500}
    assert len(found[400]) > 5 and len(found[200]) > 5


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{", "body"),
        (b"[]", "body"),
        (b'{"output": "\xed\xa0\x80"}', "body"),
        ({"output": "nowhere.children"}, "output"),
        ({"output": ["a"]}, "output"),
        ({"output": TAKEN, "inputs": {}}, "inputs"),
        ({"output": TAKEN, "inputs": [{"id": "x", "property": "y", "value": 1}] * 9}, "inputs"),
    ],
)
def test_what_no_page_sends_is_refused_with_its_field(
    client: Client, caplog: pytest.LogCaptureFixture, body: Any, field: str
) -> None:
    if isinstance(body, dict) and body["output"] == TAKEN:
        body = {**body, "output": next(key for key, called in get_app().callback_map.items() if called["inputs"])}
    answer = send(client, body)
    assert answer.status_code == 400 and answer.json()["field"] == field
    assert len(caplog.records) == 1 and not caplog.records[0].exc_info


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_text_that_no_database_stores_is_refused(client: Client, text: str) -> None:
    output = next(key for key, called in get_app().callback_map.items() if called["inputs"])
    answer = send(client, body_of(output, {"deep": [text]}))
    assert answer.status_code == 400 and answer.json()["field"].startswith("inputs")


def test_names_that_the_sender_makes_up_fill_neither_log_nor_memory(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    output = next(key for key, called in get_app().callback_map.items() if called["inputs"])
    answers = [send(client, {**body_of(output, None), f"name{number}": "a\0b"}) for number in range(5)]
    assert {(each.status_code, each.json()["field"]) for each in answers} == {(400, "body")}
    assert len(caplog.records) == len(callback_bodies._said) == 1


def answered(error: Exception, value: Any) -> Any:
    """What a callback with one parameter, a dictionary or a text, answers that was sent `value` and raises `error`."""

    def show(shown: dict[str, Any] | str) -> None:
        raise error

    server = flask.Flask("failing")
    answer_errors(server, {"x.children": {"callback": show}})
    server.add_url_rule(CALLBACKS, "failing", lambda: show(value), methods=["POST"])
    sent = {"output": "x.children", "inputs": [{"id": "y", "property": "data", "value": value}]}
    return server.test_client().post(CALLBACKS, json=sent)


OWN = (AttributeError("'NoneType' object has no attribute 'x'"), KeyError("missing"), TypeError("no len()"))


@pytest.mark.parametrize("error", OWN)
def test_an_error_of_our_own_is_a_5xx_with_its_traceback(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with acting(Actor(lambda: "browser", lambda: None, request_id="abcdef0123456789")):
        answers = [answered(error, {"a": 1}) for _ in range(2)]
    assert [each.status_code for each in answers] == [500, 500]
    assert "request abcdef0123456789" in answers[0].json["message"]
    assert [bool(record.exc_info) for record in caplog.records] == [True, False], "once a minute"


@pytest.mark.parametrize(("error", "value"), [(OWN[0], None), (OWN[2], [1]), (OWN[1], {"a": ["missing"]})])
def test_what_a_callback_cannot_read_is_told_once_a_minute(
    error: Exception, value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert [answered(error, value).status_code for _ in range(3)] == [400] * 3
    assert [(record.levelname, bool(record.exc_info)) for record in caplog.records] == [("WARNING", False)]


def test_a_callback_of_the_browser_is_none_of_the_server(client: Client) -> None:
    output = next(key for key, called in get_app().callback_map.items() if "callback" not in called)
    answer = send(client, {"output": output, "inputs": []})
    assert answer.status_code == 400 and answer.json()["field"] == "output"


def test_a_busy_site_is_no_fault_of_what_a_page_sent() -> None:
    server = flask.Flask("busy")
    answer_errors(server, {})

    @server.post(CALLBACKS)
    def busy() -> None:
        raise BusyError("file", 30)

    answer = server.test_client().post(CALLBACKS)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    assert "Try again in 30 s" in (answer.json or {})["message"]


@pytest.mark.parametrize("body", [b"[]," * (MOST_CONTAINERS + 1), b"1," * (MOST_VALUES + 1)])
def test_what_holds_too_many_values_is_refused_before_it_is_parsed(client: Client, body: bytes) -> None:
    answer = send(client, b"[" + body + b"0]")
    assert answer.status_code == 400 and f"at most {MOST_VALUES:,} values" in answer.content.decode()
