"""Webhooks of projects, for their maintainers."""

from __future__ import annotations

from contextlib import AbstractContextManager

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.preconditions import CHANGED, SEEN, TAG, as_seen, tag_of, tagged
from webapp.api.shapes import webhooks as shapes
from webapp.api.shapes.base import answer, many, read, written
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED, number, project_of, query
from webapp.webhooks import service
from webapp.webhooks.models import Webhook

_ERRORS = {**REFUSED, **NOT_ALLOWED, **NOT_FOUND}
_TAGS = ["webhooks"]
_NEWEST = 100


class WebhookListView(APIView):
    """The webhooks of a project."""

    @extend_schema(
        operation_id="webhooks_list",
        parameters=[query("project", OpenApiTypes.STR, "Slug of the project; your own by default.")],
        responses={200: many(shapes.Webhook), **_ERRORS},
        tags=_TAGS,
    )
    def get(self, request: Request) -> Response:
        """Return the webhooks of a project that you maintain, oldest first; never their secrets."""
        arguments.only(request, "project")
        project = project_of(request, request.query_params.get("project"))
        return answer(many(shapes.Webhook), list(service.webhooks_of(request.user, project)))

    @extend_schema(
        operation_id="webhooks_create",
        request=shapes.NewWebhook,
        responses={201: shapes.MadeWebhook, **_ERRORS},
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Make a webhook. Its secret is shown once."""
        body = read(shapes.NewWebhook, request)
        project = project_of(request, body.project)
        made, secret = service.make_webhook(request.user, project, body.url, body.events)
        return answer(shapes.MadeWebhook, {"webhook": made, "secret": secret}, status.HTTP_201_CREATED)


class WebhookView(APIView):
    """One webhook."""

    @extend_schema(
        operation_id="webhooks_read", parameters=[TAG], responses={200: shapes.Webhook, **_ERRORS}, tags=_TAGS
    )
    def get(self, request: Request, webhook: int) -> Response:
        """Return a webhook, without its secret."""
        arguments.only(request)
        return tagged(request, answer(shapes.Webhook, service.get_webhook(request.user, webhook)))

    @extend_schema(
        operation_id="webhooks_change",
        parameters=[SEEN],
        request=shapes.WebhookChange,
        responses={200: shapes.Webhook, **_ERRORS, **CHANGED},
        tags=_TAGS,
    )
    def patch(self, request: Request, webhook: int) -> Response:
        """Change the events of a webhook, or switch it on or off. Switching it on sends queued messages."""
        body = read(shapes.WebhookChange, request)
        with _seen(request, webhook):
            found = service.change_webhook(request.user, webhook, events=body.events, active=body.active)
        return answer(shapes.Webhook, found)

    @extend_schema(
        operation_id="webhooks_end",
        parameters=[SEEN],
        responses={204: None, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=_TAGS,
    )
    def delete(self, request: Request, webhook: int) -> Response:
        """Delete a webhook with its deliveries; queued messages are not sent."""
        with _seen(request, webhook):
            service.end_webhook(request.user, webhook)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _seen(request: Request, number: int) -> AbstractContextManager[None]:
    """Return a block that changes a webhook as it was seen."""
    rows = Webhook.objects.filter(pk=service.get_webhook(request.user, number).pk)
    return as_seen(request, rows, lambda: tag_of(written(shapes.Webhook, service.get_webhook(request.user, number))))


class WebhookTestView(APIView):
    """A test message without content."""

    @extend_schema(operation_id="webhooks_test", request=None, responses={201: shapes.Delivery, **_ERRORS}, tags=_TAGS)
    def post(self, request: Request, webhook: int) -> Response:
        """Send a message of the type `ping`, to see whether the address answers."""
        return answer(shapes.Delivery, service.send_test(request.user, webhook), status.HTTP_201_CREATED)


class DeliveryListView(APIView):
    """The deliveries of a webhook."""

    @extend_schema(
        operation_id="webhooks_deliveries",
        parameters=[number("limit", f"How many, {_NEWEST} at most.")],
        responses={200: many(shapes.Delivery), **_ERRORS},
        tags=_TAGS,
    )
    def get(self, request: Request, webhook: int) -> Response:
        """Return the sent and waiting deliveries of a webhook, newest first."""
        arguments.only(request, "limit")
        limit = arguments.integer(request, "limit", _NEWEST, 1, _NEWEST)
        return answer(many(shapes.Delivery), list(service.deliveries_of(request.user, webhook)[:limit]))


class SendAgainView(APIView):
    """A message once more."""

    @extend_schema(
        operation_id="webhooks_send_again", request=None, responses={200: shapes.Delivery, **_ERRORS}, tags=_TAGS
    )
    def post(self, request: Request, webhook: int, delivery: int) -> Response:
        """Send a message once more, under the same identifier, whatever became of it."""
        return answer(shapes.Delivery, service.send_again(request.user, webhook, delivery))
