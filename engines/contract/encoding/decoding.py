"""Decisions as frozen dataclasses: pydantic reads and writes them, and each field refuses in its own words.

    @dataclass(frozen=True)
    class Package:
        topology: Annotated[str, one_of(TOPOLOGIES)]
        channel_bits: Annotated[int, whole(1, 4096)]

    decoded(Package, {"topology": "ring", "channel_bits": 64})  # DecisionError: decision.topology must be one of ...

Validators of a field are called with what `decoded` is given as context, and with the fields before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from engines.contract.designs import Decision
from engines.contract.errors import DecisionError

D = TypeVar("D")
_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


class ValueRefusal(ValueError):
    """An invalid value in a decision: the value received and the accepted values."""

    def __init__(self, got: Any, accepted: str) -> None:
        super().__init__(accepted)
        self.got, self.accepted = got, accepted


def accepted_if(allowed: Callable[[Any], bool], accepted: str) -> BeforeValidator:
    """Return a validator that takes values for which `allowed` is true; its refusal names `accepted`."""

    def check(value: Any) -> Any:
        if not allowed(value):
            raise ValueRefusal(value, accepted)
        return value

    return BeforeValidator(check)


def one_of(known: Iterable[str]) -> BeforeValidator:
    """Return a validator that takes one of these texts."""
    names = tuple(known)
    return accepted_if(lambda value: isinstance(value, str) and value in names, f"one of {', '.join(names)}")


def whole(low: int, high: int) -> BeforeValidator:
    """Return a validator that takes a whole number from `low` to `high`; 8.0 counts as whole."""
    accepted = f"a whole number from {low} to {high}"
    return accepted_if(lambda value: is_number(value) and low <= value <= high and value == int(value), accepted)


def number(low: float, high: float) -> BeforeValidator:
    """Return a validator that takes a finite number from `low` to `high`."""
    return accepted_if(lambda value: is_number(value) and low <= value <= high, f"a number from {low:g} to {high:g}")


def is_number(value: object) -> bool:
    """Return whether `value` is an int or float; truth values are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def decoded(kind: type[D], decision: Decision, context: Any = None, first: Sequence[str] = ()) -> D:
    """Return the design of a decision; unknown entries are ignored.

    Args:
        kind: dataclass of the design; a field without a default needs a validator that refuses None.
        decision: mapping as `encoded` returns it, or as a user wrote it.
        context: passed to validators that need more than the value.
        first: fields that are reported first if several are invalid; the others follow in declared order.

    Raises:
        DecisionError: a field is invalid; the error names the first one with its value and the accepted values.
    """
    required = {each.name: None for each in fields(kind) if each.default is MISSING}  # type: ignore[arg-type]
    try:
        design: D = _adapter(kind).validate_python({**required, **decision}, context=context)
        return design
    except ValidationError as error:
        found = {each["loc"][0]: each["ctx"]["error"] for each in error.errors(include_url=False)}
        name = next(name for name in (*first, *found) if name in found)
        raise DecisionError(f"decision.{name}", found[name].got, found[name].accepted) from error


def encoded(design: Any) -> dict[str, Any]:
    """Return the decision of a design: field name -> JSON value. Accepts any dataclass."""
    found: dict[str, Any] = _adapter(type(design)).dump_python(design, mode="json")
    return found


def from_plain(kind: type[D], plain: Mapping[str, Any]) -> D:
    """Return the dataclass whose fields `encoded` wrote as JSON values.

    Raises:
        pydantic.ValidationError: a field is missing or has a wrong type.
    """
    found: D = _adapter(kind).validate_python(plain)
    return found


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
