"""Answers that several views give."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from engines.contract.quantities import Role, Sense
from webapp.api.shapes.base import Numbers, Shape


class Refusal(Shape):
    """A 400: which field, what was got, what is accepted, and the same as a sentence."""

    field: str
    got: Any
    accepted: str
    message: str


class Message(Shape):
    """Any other error."""

    message: str


class Column(Shape):
    """A column of designs; a value that is not defined is null."""

    name: str
    title: str
    unit: str
    sense: Sense
    role: Role
    values: Numbers = Field(description="One per design.")
