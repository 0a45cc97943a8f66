"""Response shapes shared by several views."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from engines.contract.quantities import Role, Sense
from webapp.api.shapes.base import Numbers, Shape


class Message(Shape):
    """An error, as problem details (RFC 9457)."""

    type: str = Field(description="The address on this site that explains the code.")
    code: str = Field(description="The kind of error. It never changes its meaning.")
    title: str = Field(description="The kind of error in words.")
    status: int
    detail: str = Field(description="The error, and what would help.")
    message: str = Field(description="The same text as `detail`.")


class Refusal(Message):
    """A 400: which field, what was got, what is accepted, how to continue, and the same as sentences."""

    field: str
    got: Any
    accepted: str
    reason: str = Field("", description="Why the value is refused, where `accepted` does not say it.")
    remedies: list[Any] = Field([], description="Remedies: `text`, and `field` and `value` where they are known.")


class Column(Shape):
    """A column of designs; a value that is not defined is null."""

    name: str
    title: str
    unit: str
    sense: Sense
    role: Role
    values: Numbers = Field(description="One per design.")
