"""Real workers send to a real server, on both databases; one that is killed while it sends loses nothing."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.support.http_receiver import Receiver, answer
from tests.support.live import LiveSite
from webapp.webhooks.models import Delivery
from webapp.webhooks.service import make_webhook

pytestmark = pytest.mark.usefixtures("loopback")
KEY = "a key that the worker shares with this process"
ENVIRONMENT = {"PARETOSCOPE_WEBHOOK_NETWORKS": "127.0.0.0/8", "SECRET_KEY": KEY}


@pytest.fixture
def hooked(live_site: LiveSite, server: Receiver, settings: Any) -> LiveSite:
    """The ends of ann's runs are told to the server."""
    settings.SECRET_KEY = KEY
    make_webhook(live_site.ann, live_site.ann.personal_project, f"{server.url}/hook", ["run.done"])
    return live_site


@pytest.mark.long
def test_runs_go_on_while_an_address_keeps_a_sender_waiting(hooked: LiveSite, server: Receiver) -> None:
    go_on = threading.Event()
    server.respond = lambda handler: (go_on.wait(60), answer(handler, 200))
    hooked.worker(**ENVIRONMENT)
    runs = [hooked.start(steps=2, seed=seed) for seed in (1, 2)]
    hooked.wait(lambda: server.received, "the first message arrives")
    for run in runs:
        hooked.wait_for_status(run, "done")
    assert [each.status for each in Delivery.objects.all()] == ["waiting"] * 2
    go_on.set()
    hooked.wait(lambda: Delivery.objects.filter(status="delivered").count() == 2, "both are sent")
    assert {each.headers["webhook-id"] for each in server.received} == set(
        Delivery.objects.values_list("identifier", flat=True)
    )


@pytest.mark.long
@pytest.mark.timeout(300)
def test_what_a_killed_worker_was_sending_is_sent_by_another(hooked: LiveSite, server: Receiver) -> None:
    never = threading.Event()
    server.respond = lambda handler: never.wait(60)
    first = hooked.worker(**ENVIRONMENT)
    run = hooked.start(steps=2)
    hooked.wait_for_status(run, "done")
    hooked.wait(lambda: server.received, "the message arrives")
    first.kill()
    assert Delivery.objects.get().status == "waiting"
    server.respond = lambda handler: answer(handler, 200)
    hooked.worker(**ENVIRONMENT)
    hooked.wait(lambda: Delivery.objects.get().status == "delivered", "the second worker sends it", timeout_s=100)
    never.set()
    identifier = Delivery.objects.get().identifier
    assert [each.headers["webhook-id"] for each in server.received] == [identifier] * 2
