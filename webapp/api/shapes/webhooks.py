"""Webhooks and deliveries, as the interface takes and shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from webapp.api.shapes.base import AcceptedValues, Body, OneOf, Shape
from webapp.teams.models import Project
from webapp.webhooks.models import Delivery as StoredDelivery
from webapp.webhooks.models import Event


def _slug(project: Project) -> str:
    return project.slug


EventName = Annotated[str, OneOf(Event.values)]
_Events = Annotated[list[str], Field(max_length=len(Event.values))]
_EVENTS = AcceptedValues(f"a list out of {', '.join(Event.values)}")


class Webhook(Shape):
    """An address that is told of what ends in a project."""

    id: int
    project: Annotated[str, BeforeValidator(_slug)] = Field(description="Slug.")
    url: str
    events: list[EventName]
    active: bool = Field(description="Whether anything is sent.")
    created: datetime
    failing_since: datetime | None = Field(
        description="When the first of the attempts failed that have failed ever since."
    )
    given_up: datetime | None = Field(description="Time at which it was switched off automatically.")


class MadeWebhook(Shape):
    """A new webhook, and its secret."""

    webhook: Webhook
    secret: str = Field(description="Messages are signed with it. It is not shown again.")


class NewWebhook(Body):
    """A webhook to make."""

    url: Annotated[str, AcceptedValues("an address that begins with https://")]
    events: Annotated[_Events, _EVENTS]
    project: Annotated[str | None, AcceptedValues("the slug of a project")] = Field(
        None, description="Slug of the project whose runs it reports; your own by default."
    )


class WebhookChange(Body):
    """The change of a webhook; fields that are left out stay."""

    events: Annotated[_Events | None, _EVENTS] = None
    active: Annotated[bool | None, AcceptedValues("true or false")] = None


class Delivery(Shape):
    """A message to a webhook, and what became of the last attempt to send it."""

    id: int
    identifier: str = Field(description="The header `webhook-id`: the same for every attempt.")
    event: str
    body: str = Field(description="The JSON text that is signed and sent.")
    status: Annotated[str, OneOf(StoredDelivery.Status.values)]
    attempts: int
    created: datetime
    due: datetime = Field(description="When it may be sent next, while it waits.")
    tried: datetime | None = Field(description="When the last attempt began.")
    answer_status: int | None
    answer_start: str = Field(description="First characters of the answer.")
    trouble: str = Field(description="Why the attempt does not count.")
    took_ms: int | None
