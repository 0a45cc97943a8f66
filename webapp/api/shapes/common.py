"""Answers that several views give."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from engines.contract.quantities import Role, Sense
from webapp.api.shapes.base import Numbers, Shape


class Message(Shape):
    """An error, as problem details (RFC 9457)."""

    type: str = Field(description='"about:blank": the status says what kind of error it is.')
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="The error, and what would help.")
    message: str = Field(description="The same text as `detail`.")


class Refusal(Message):
    """A 400: which field, what was got, what is accepted, and the same as a sentence."""

    field: str
    got: Any
    accepted: str


class Column(Shape):
    """A column of designs; a value that is not defined is null."""

    name: str
    title: str
    unit: str
    sense: Sense
    role: Role
    values: Numbers = Field(description="One per design.")
