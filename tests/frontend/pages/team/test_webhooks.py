import pytest

from frontend.pages.team.webhooks import WebhookView, webhooks_part
from tests.support.stored_runs import make_people
from webapp.webhooks.service import make_webhook

pytestmark = pytest.mark.django_db


def test_a_secret_is_shown_once_and_a_refusal_keeps_what_was_typed() -> None:
    people = make_people()
    made, secret = make_webhook(people.owner, people.project, "https://hooks.example.org/run", ("run.done",))
    assert secret in str(webhooks_part(people.project, WebhookView(secret=secret, opened=made.pk)))
    shown = str(webhooks_part(people.project))
    assert secret not in shown and "hooks.example.org" in shown
    refused = str(webhooks_part(people.project, WebhookView("Refused.", "bad", given=("ftp://x", ()))))
    assert "Refused." in refused and "ftp://x" in refused
