from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from webapp.api.shapes.webhooks import NewWebhook, Webhook, WebhookChange
from webapp.teams.models import Project
from webapp.webhooks.models import Event


def test_a_project_is_told_by_its_slug() -> None:
    facts = {
        "id": 1, "url": "https://a.example", "events": [Event.values[0]], "active": True,
        "created": datetime(2026, 1, 1, tzinfo=UTC), "failing_since": None, "given_up": None,
    }  # fmt: skip
    assert Webhook.model_validate({**facts, "project": Project(slug="lab")}).project == "lab"
    with pytest.raises(ValidationError):
        Webhook.model_validate({**facts, "project": Project(slug="lab"), "events": ["nothing"]})


@pytest.mark.parametrize("given", [{}, {"url": "https://a.example", "events": "all"}, {"url": 3, "events": []}])
def test_what_cannot_be_taken_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NewWebhook.model_validate(given)
    assert WebhookChange.model_validate({}).active is None
