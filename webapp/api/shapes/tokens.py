"""Tokens, as the interface takes and shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BeforeValidator, Field

from webapp.api.models import ApiToken
from webapp.api.shapes.base import AcceptedValues, Body, OneOf, Shape
from webapp.teams.models import Project


def _slug(project: Project | None) -> str | None:
    return None if project is None else project.slug


class Token(Shape):
    """An API token of the user; its text is not stored."""

    id: int
    name: str
    hint: str = Field(description="Its first characters.")
    scope: Annotated[str, OneOf(ApiToken.Scope.values)]
    project: Annotated[str | None, BeforeValidator(_slug)] = Field(
        description="Slug of the only project that it is for; null: all of yours."
    )
    created: datetime
    expires: datetime | None
    last_used: datetime | None = Field(description="To the minute.")


class MadeToken(Shape):
    """A new token, and its text."""

    token: Token
    text: str = Field(description="Send it in `Authorization`. It is not shown again.")


def _time(value: Any) -> Any:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


class NewToken(Body):
    """A token to make."""

    name: Annotated[str, AcceptedValues("a text")] = Field(description="Free among your tokens.")
    scope: Annotated[
        str, OneOf(ApiToken.Scope.values), AcceptedValues(f"one of {', '.join(ApiToken.Scope.values)}")
    ] = Field(
        "read",
        description="Read: reads. Run: also starts, stops and continues. Write: also stores, shares and deletes. Agent: only "
        "measures for its project. Worker: only executes queued runs.",
    )
    project: Annotated[str | None, AcceptedValues("the slug of a project")] = Field(
        None, description="Slug of the only project that it is for; all of yours by default."
    )
    expires: Annotated[
        AwareDatetime | None,
        BeforeValidator(_time),
        AcceptedValues("a time with its zone: 2030-01-31T00:00:00Z; null: never"),
    ] = None
