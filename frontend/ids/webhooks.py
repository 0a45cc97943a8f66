"""Ids of the webhooks on the page of a project."""

from __future__ import annotations

from enum import StrEnum


class WebhookIds(StrEnum):
    """Components of the part. Types of pattern-matching ids: `ACTION_TYPE` of a button, `FIELD_TYPE` of a field."""

    BODY = "webhooks-body"
    ACTION_TYPE = "webhook-action"
    FIELD_TYPE = "webhook-field"
