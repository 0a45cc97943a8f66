"""Declarations of parameters with title, unit, group and tier, from which form, command line and REST are generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field
from pydantic.config import JsonDict

from engines.contract.numeric.milli_units import SHOWN_UNITS

# Who sets a parameter: everybody, experts, or who reproduces the publication. Forms show the first and fold the others.
Tier = Literal["usual", "expert", "paper"]


def for_experts(field: Any) -> Any:
    """Mark a field as a parameter for experts, as `advanced=True` does, and return it."""
    return _of_tier(field, "expert")


def for_paper(field: Any) -> Any:
    """Mark a field as a choice of the publication, which users rarely change, and return it."""
    return _of_tier(field, "paper")


def _of_tier(field: Any, tier: Tier) -> Any:
    if not isinstance(field.json_schema_extra, dict):
        raise TypeError(f"A field with a tier must have json_schema_extra. Got {field!r} instead.")
    field.json_schema_extra["tier"] = tier  # in place: pydantic keeps the same dictionary with what was given
    return field


def _tier(advanced: bool) -> Tier:
    return "expert" if advanced else "usual"


def choice(
    default: str, title: str, group: str, choices: Mapping[str, str], description: str, *, advanced: bool = False
) -> Any:
    """Declare a parameter with one of several values; `choices` maps each value to its label."""
    extra: JsonDict = {"group": group, "tier": _tier(advanced), "choices": dict(choices)}
    return Field(default, title=title, description=description, json_schema_extra=extra)


def choice_title(params: BaseModel, name: str) -> str:
    """Return the label of the selected value of a parameter declared by `choice`."""
    extra = type(params).model_fields[name].json_schema_extra
    titles = extra.get("choices") if isinstance(extra, dict) else None
    value = str(getattr(params, name))
    return str(titles.get(value, value)) if isinstance(titles, dict) else value


def limit(
    unit: str,
    most: float,
    title: str,
    description: str = "",
    *,
    zero: bool = False,
    advanced: bool = False,
    none: str = "no limit",
) -> Any:
    """Declare a limit on a metric, above 0 (from 0 on with `zero`) and at most `most`; an empty field sets no limit.

    The description is extended by the meaning of an empty field, `none`.

    The value is in `unit`, which the name of the parameter ends in; percentages may be 0. Forms take seconds and joules in the
    unit that designs are shown in: "shown_unit" is that one.
    """
    extra: JsonDict = {"unit": unit, "group": "Limits", "tier": _tier(advanced)}
    if unit in SHOWN_UNITS:
        extra["shown_unit"] = SHOWN_UNITS[unit]
    from_zero = zero or unit == "%"
    return Field(
        None,
        gt=None if from_zero else 0,
        ge=0 if from_zero else None,
        le=most,
        title=title,
        description=f"{description} Empty: {none}.".strip(),
        json_schema_extra=extra,
    )


def number(
    default: float | None,
    bounds: tuple[float, float],
    unit: str,
    title: str,
    group: str,
    description: str,
    *,
    above: bool = False,
    advanced: bool = False,
) -> Any:
    """Declare a number within `bounds`, both included (`above` excludes the lower one); a whole number if the field is an `int`.

    Without a default the field may stay empty.
    """
    extra: JsonDict = {"unit": unit, "group": group, "tier": _tier(advanced)}
    low, high = bounds
    return Field(
        default,
        gt=low if above else None,
        ge=None if above else low,
        le=high,
        title=title,
        description=description,
        json_schema_extra=extra,
    )


def switch(default: bool, title: str, group: str, description: str, *, advanced: bool = False) -> Any:
    """Declare a parameter that is on or off."""
    extra: JsonDict = {"group": group, "tier": _tier(advanced)}
    return Field(default, title=title, description=description, json_schema_extra=extra)


def text(
    default: str,
    title: str,
    group: str,
    description: str,
    *,
    longest: int = 4000,
    lines: bool = False,
    advanced: bool = False,
) -> Any:
    """Declare a text of at most `longest` characters; with `lines` it may have several lines, such as a pasted file."""
    extra: JsonDict = {"group": group, "tier": _tier(advanced), "lines": lines}
    return Field(default, max_length=longest, title=title, description=description, json_schema_extra=extra)
