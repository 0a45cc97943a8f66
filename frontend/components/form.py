"""A form out of an engine's `Params`, and the parameters back out of the form.

The form is one flat list of fields, so a page needs one pattern-matching callback for all of them. Every control carries
its value in `value`; words under the field say the bounds, or what is wrong with what was typed.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Union, cast, get_args, get_origin

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from engines.contract.parameter_fields import Tier

FieldKind = Literal["choice", "switch", "integer", "number", "text"]
MAX_SEGMENTS = 5
THIN_SPACE = "\u2009"
_BEYOND_USE = 2**53
# Thousands by comma where that is certain ("1,500.25", "2,000,000"); "1,024" may be 1.024 and stays text, as "1,5" does.
_MOST_DIGITS = 19
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*|(?<=,\d{3},\d{3}))")
_WITH_COMMA = re.compile(r"[+-]?\d+,\d+")
_EMPTY = re.compile(r"\bEmpty: (.+?)(?:[.,;:](?:\s|$)|$)")
_EXAMPLE = re.compile(r'"([^"]*)"')
_LONG_TEXT = 20
_PREFIXES = {"k": 3, "": 0, "m": -3, "µ": -6, "u": -6, "n": -9}
_WITH_UNIT = re.compile(r"(?P<number>[-+0-9.eE]+)(?P<prefix>[kmµun]?)(?P<unit>[A-Za-z]+)")
_FOLDED: Mapping[Tier, str] = {"expert": "For experts", "paper": "As published"}
_SPACES = {ord(space): None for space in " \u2009\u202f\u00a0_"}


@dataclass(frozen=True)
class FieldSpec:
    """One parameter as a form shows it.

    Attributes:
        name: the parameter's name; `title`, `help`, `unit`: words for it.
        kind: kind of control; a "choice" has `choices` as (value, label) pairs.
        default: the value when nothing was changed; None where the parameter may be left empty.
        minimum, maximum: bounds, None where open; `exclusive` tells whether they themselves are refused.
        optional: whether an empty field means None.
        lines: whether a text has several lines, as of a file that is pasted.
        tier: who sets it: everybody ("usual"), experts, or who reproduces the publication ("paper").
        exponent: `unit` is ten to this of the parameter's: -3 for milliseconds of a value in seconds.
    """

    name: str
    title: str
    kind: FieldKind
    default: Any
    help: str = ""
    unit: str = ""
    choices: tuple[tuple[Any, str], ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    exclusive: bool = False
    optional: bool = False
    group: str = ""
    lines: bool = False
    tier: Tier = "usual"
    exponent: int = 0


# -- from the model ---------------------------------------------------------------------------------------------------


def field_specs(params: type[BaseModel]) -> tuple[FieldSpec, ...]:
    """Return the fields of `params` in their order, as a form shows them."""
    return tuple(_spec(name, info) for name, info in params.model_fields.items())


def _spec(name: str, info: FieldInfo) -> FieldSpec:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, Mapping) else {}
    annotation, optional = _without_none(info.annotation)
    words = extra.get("choices")
    if annotation is str and isinstance(words, Mapping):  # names that other packages may add to
        annotation = Literal[tuple(words)]
    minimum, maximum, exclusive = _bounds(info.metadata)
    unit = str(extra.get("unit", ""))
    shown = str(extra.get("shown_unit", unit))
    return FieldSpec(
        name=name,
        title=info.title or name.replace("_", " ").capitalize(),
        kind=_kind(annotation),
        default=None if info.default is PydanticUndefined else info.default,
        help=info.description or "",
        unit=shown,
        choices=_choices(annotation, words),
        minimum=minimum,
        maximum=maximum,
        exclusive=exclusive,
        optional=optional,
        group=str(extra.get("group", "")),
        lines=bool(extra.get("lines", False)),
        tier=cast(Tier, extra.get("tier", "usual")),
        exponent=0 if shown == unit else _PREFIXES[shown.removesuffix(unit)],
    )


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        return (members[0] if len(members) == 1 else Any), len(members) < len(get_args(annotation))
    return annotation, False


def _kind(annotation: Any) -> FieldKind:
    if get_origin(annotation) is Literal:
        return "choice"
    kinds: dict[Any, FieldKind] = {bool: "switch", int: "integer", float: "number"}
    return kinds.get(annotation, "text")


def _choices(annotation: Any, words: Any) -> tuple[tuple[Any, str], ...]:
    if get_origin(annotation) is not Literal:
        return ()
    titles = words if isinstance(words, Mapping) else {}
    return tuple(
        (value, str(titles.get(value, str(value).replace("_", " ").capitalize()))) for value in get_args(annotation)
    )


def _bounds(metadata: Iterable[Any]) -> tuple[float | None, float | None, bool]:
    minimum, maximum, exclusive = None, None, False
    for item in metadata:
        lower, upper = getattr(item, "ge", None), getattr(item, "le", None)
        above, below = getattr(item, "gt", None), getattr(item, "lt", None)
        exclusive = exclusive or above is not None or below is not None
        minimum = next((bound for bound in (lower, above) if bound is not None), minimum)
        maximum = next((bound for bound in (upper, below) if bound is not None), maximum)
    return minimum, maximum, exclusive


# -- numbers as people type them --------------------------------------------------------------------------------------


def format_value(spec: FieldSpec, value: Any) -> str:
    """Return `value` as text for its control: thousands separated by a thin space, "" for None."""
    if value is None:
        return ""
    if spec.kind == "switch":
        return "true" if value else "false"
    # A wrong 1.5 stays one: this also words what was typed.
    if spec.kind == "integer" and not isinstance(value, str) and float(value).is_integer():
        return f"{int(value):,}".replace(",", THIN_SPACE)
    # All digits: what a field shows must read back as what it was.
    if spec.exponent and isinstance(value, int | float) and math.isfinite(value):
        return f"{Decimal(repr(value)).scaleb(-spec.exponent).normalize():,f}".replace(",", THIN_SPACE)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}".removesuffix(".0").replace(",", THIN_SPACE)
    return str(value)


def parse_value(spec: FieldSpec, raw: Any) -> Any:
    """Return typed text converted to the parameter's type; text that is not a number stays text for the validation."""
    text = "" if raw is None else str(raw).strip()
    if spec.kind == "switch":
        return text == "true"
    if spec.kind == "choice":
        return next((value for value, _ in spec.choices if str(value) == text), text)
    if spec.kind == "text":
        return None if spec.optional and not text else text
    text = text.translate(_SPACES)
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    if not text:
        return None
    if spec.kind == "integer" and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)  # all digits of it: seeds may have more than a float holds
    if spec.exponent:
        return _scaled(spec, text, raw)
    try:
        number = float(text)
    except ValueError:
        return raw
    return int(number) if spec.kind == "integer" and number.is_integer() else number


def _scaled(spec: FieldSpec, text: str, raw: Any) -> Any:
    """Return a number in the field's unit, or in the one typed behind it ("50", "50 ms", "0.05 s"), as the parameter has it."""
    exponent, typed = spec.exponent, _WITH_UNIT.fullmatch(text)
    base = next(
        spec.unit[len(prefix) :]
        for prefix, each in _PREFIXES.items()
        if each == exponent and spec.unit.startswith(prefix)
    )
    if typed and typed["unit"] == base:
        text, exponent = typed["number"], _PREFIXES[typed["prefix"]]
    try:
        return float(
            Decimal(text).scaleb(exponent)
        )  # by decimal digits: 23.3 ms are 0.0233 s, not 0.023299999999999998
    except ArithmeticError:
        return raw


def bounds_text(spec: FieldSpec) -> str:
    """Return the bounds in words ("0 to 8", "at least 1"), "" where there are none."""
    # A bound that only the storage sets is no help: nobody types nineteen digits.
    upper = None if spec.maximum is not None and spec.maximum >= _BEYOND_USE else spec.maximum
    low, high = (None if bound is None else _unbroken(format_value(spec, bound)) for bound in (spec.minimum, upper))
    if low is not None and high is not None:
        return f"{low} to {high}"
    if low is not None:
        return f"more than {low}" if spec.exclusive else f"at least {low}"
    if high is not None:
        return f"less than {high}" if spec.exclusive else f"at most {high}"
    return ""


def help_text(spec: FieldSpec) -> str:
    """Return the line under the field: bounds first, then what the parameter does."""
    words = ". ".join(part.rstrip(".") for part in (bounds_text(spec), spec.help) if part)
    return words[:1].upper() + words[1:]


def empty_words(spec: FieldSpec) -> str:
    """Return the meaning of an empty field in a few words, from its help text ("Empty: no limit."); "" if the help has none."""
    found = _EMPTY.search(spec.help)
    return found[1] if found else ""


def form_values(specs: Sequence[FieldSpec], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the typed values by name; fields missing in the form keep their defaults."""
    return {spec.name: parse_value(spec, raw[spec.name]) if spec.name in raw else spec.default for spec in specs}


def changed_values(specs: Sequence[FieldSpec], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from their default."""
    return {spec.name: values[spec.name] for spec in specs if spec.name in values and values[spec.name] != spec.default}


def field_errors(params: type[BaseModel], values: Mapping[str, Any]) -> dict[str, str]:
    """Return field -> error message for invalid `values`; empty if all are valid."""
    specs = {spec.name: spec for spec in field_specs(params)}
    try:
        params.model_validate(dict(values))
    except ValidationError as error:
        return {str(item["loc"][0]) if item["loc"] else "": _error_text(specs, dict(item)) for item in error.errors()}
    return {}


def _error_text(specs: Mapping[str, FieldSpec], item: dict[str, Any]) -> str:
    spec = specs.get(str(item["loc"][0])) if item["loc"] else None
    if spec is None:
        return str(item["msg"])
    got = item.get("input")
    if got is None or got == "":
        return f"A value is needed: {_accepted(spec)}"
    if item.get("type") == "value_error" and spec.kind == "text":
        words = str(item["msg"]).removeprefix("Value error, ")
        return f"Must be {words}. Got {_unbroken(got)} instead"
    shown = format_value(spec, got) if isinstance(got, int | float) else got
    hint = _comma_hint(str(got)) if spec.kind in ("integer", "number") else ""
    return f"Must be {_accepted(spec)}. Got {_unbroken(shown)} instead{hint}"


def _comma_hint(text: str) -> str:
    """Return the hint on a number with an ambiguous comma (decimal sign or thousands separator)."""
    if not _WITH_COMMA.fullmatch(text.translate(_SPACES)):
        return ""
    return f": write {text.replace(',', '.')} or {text.replace(',', '')}"


def _unbroken(got: Any) -> str:
    """Return typed text with non-breaking spaces, so that a number does not wrap between its groups."""
    return re.sub(r"[ \u2009]", "\u202f", str(got))


def _accepted(spec: FieldSpec) -> str:
    noun = {"integer": "a whole number", "number": "a number"}.get(spec.kind, "")
    if spec.kind == "choice":
        return "one of " + ", ".join(words for _, words in spec.choices)
    bounds = bounds_text(spec)
    return (
        " ".join(part for part in (noun, f"{'from ' if ' to ' in bounds else ''}{bounds}" if bounds else "") if part)
        or "text"
    )


# -- controls ---------------------------------------------------------------------------------------------------------


def form_fields(specs: Sequence[FieldSpec], values: Mapping[str, Any], id_type: str) -> Component:
    """Return all fields as a grid, those that not everybody sets folded below.

    Ids are dictionaries `{"type": id_type, "name": name}` for the control (its `value`) and `id_type + "-help"` for the line
    under it, `id_type + "-field"` for the box around both.
    """
    fields = {spec.name: form_field(spec, values.get(spec.name, spec.default), id_type) for spec in specs}
    changed = {spec.name for spec in specs if values.get(spec.name, spec.default) != spec.default}
    return in_tiers(specs, fields, changed)


def in_tiers(specs: Sequence[FieldSpec], fields: Mapping[str, Component], changed: Collection[str] = ()) -> Component:
    """Return the fields of a form by name: what everybody sets, then the other tiers folded, with how many they hold.

    Args:
        specs: the fields' parameters, in their order.
        fields: name -> its field.
        changed: names of those with another value than their default: the tier that holds one is open, and says how many.
    """
    parts: list[Component] = [html.Div([fields[s.name] for s in specs if s.tier == "usual"], className="form-grid")]
    folds = []
    for tier, title in _FOLDED.items():
        names = [spec.name for spec in specs if spec.tier == tier]
        if names:
            count = sum(name in changed for name in names)
            words = f"{title}: {len(names)}" + (f", {count} changed" if count else "")
            grid = html.Div([fields[name] for name in names], className="form-grid")
            folds.append(html.Details([html.Summary(words, className="form-more"), grid], open=bool(count)))
    return html.Div([*parts, *([html.Div(folds, className="form-folds")] if folds else [])], className="form")


def form_field(spec: FieldSpec, value: Any, id_type: str) -> Component:
    """Label, control with the unit inside the box, one help line."""
    help_id = f"{id_type}-{spec.name}-help"
    return html.Div(
        [
            html.Label(
                spec.title, htmlFor=f"{id_type}-{spec.name}", id=f"{id_type}-{spec.name}-label", title=spec.name
            ),
            _control(spec, format_value(spec, value), {"type": id_type, "name": spec.name}, help_id),
            html.Div(
                html.Span(help_text(spec), id={"type": f"{id_type}-help", "name": spec.name}),
                id=help_id,
                className="h",
            ),
        ],
        id={"type": f"{id_type}-field", "name": spec.name},
        className=field_class(spec),
    )


def field_class(spec: FieldSpec, *, invalid: bool = False) -> str:
    """Return the CSS classes of the box around a field; one for a list, as its default or its examples show, is wide."""
    wide = spec.kind == "choice" and len(spec.choices) <= MAX_SEGMENTS
    if spec.kind == "text":
        wide = spec.lines or any(
            len(shown) > _LONG_TEXT for shown in (str(spec.default or ""), *_EXAMPLE.findall(spec.help))
        )
    return " ".join(["field", *(["wide"] if wide else []), *(["invalid"] if invalid else [])])


def _control(spec: FieldSpec, text: str, control_id: dict[str, str], help_id: str) -> Component:
    if spec.kind == "switch":
        return _segments((("true", "On"), ("false", "Off")), text, control_id)
    if spec.kind == "choice" and len(spec.choices) <= MAX_SEGMENTS:
        return _segments(spec.choices, text, control_id)
    if spec.kind == "choice":
        data = [{"value": str(value), "label": words} for value, words in spec.choices]
        select: Component = dmc.Select(
            id=control_id, data=data, value=text, allowDeselect=False, size="xs", **{"aria-label": spec.title}
        )
        return select
    if spec.lines:
        area: Component = dmc.Textarea(
            id=control_id, value=text, debounce=250, autosize=True, minRows=2, maxRows=10, size="xs", spellCheck=False,
            placeholder=empty_words(spec), **{"aria-label": spec.title, "aria-describedby": help_id},
        )  # fmt: skip
        return area
    unit = html.Span(spec.unit, className="field-unit") if spec.unit else None
    box: Component = dmc.TextInput(
        id=control_id,
        value=text,
        debounce=250,
        size="xs",
        autoComplete="off",
        spellCheck=False,
        placeholder=empty_words(spec),
        rightSection=unit,
        rightSectionWidth=f"{len(spec.unit) * 0.62 + 1.1:.1f}em" if unit else None,
        **{"aria-label": spec.title, "aria-describedby": help_id},
    )
    return box


def _segments(choices: Sequence[tuple[Any, str]], text: str, control_id: dict[str, str]) -> Component:
    data = [{"value": str(value), "label": words} for value, words in choices]
    return html.Div(dmc.SegmentedControl(id=control_id, data=data, value=text, size="xs"), className="field-segments")
