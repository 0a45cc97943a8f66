"""Ids of the page of projects and their members."""

from __future__ import annotations

from enum import StrEnum


class TeamIds(StrEnum):
    """Components of the page. Types of pattern-matching ids: `ACTION_TYPE` and `ROLE_TYPE` of a member, `FIELD_TYPE` of a field."""

    LOCATION = "team-location"
    PROJECT = "team-project"
    BODY = "team-body"
    NEW_TITLE = "team-new-title"
    CREATE = "team-create"
    CREATE_ERROR = "team-create-error"
    ACTION_TYPE = "team-action"
    ROLE_TYPE = "team-role"
    FIELD_TYPE = "team-field"
