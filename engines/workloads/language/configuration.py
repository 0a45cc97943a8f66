"""Fields of a configuration: each is read with its type and range, and what is wrong is named with its place."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.contract.errors import ProblemError

MAX_TEXT_BYTES = 16 * 2**20
MAX_LAYERS = 1000
_MAX_SIZE = 10**9
_MAX_DEPTH = 32
_CODE_KEYS = ("auto_map", "trust_remote_code")
# Ranges of training: files of state-space models give infinity as their end.
ENDLESS_KEYS = ("time_step_limit", "mamba_dt_limit")


@dataclass
class Fields:
    """A mapping of a configuration, with the place where it is.

    Attributes:
        values: the mapping.
        place: dotted path with a dot at its end; "" for the whole.
        notes: notes of the reader, shared by all sections of a configuration.
    """

    values: Mapping[str, Any]
    place: str = ""
    notes: list[str] = field(default_factory=list)

    def has(self, name: str) -> bool:
        """Return whether the configuration gives a value."""
        return self.values.get(name) is not None

    def size(self, *names: str, default: int | None = None, least: int = 1, most: int = _MAX_SIZE) -> int:
        """Return a whole number.

        Args:
            names: names of the field, the usual one first.
            default: where none of them has a value; None: the field is required.
            least: smallest accepted value.
            most: largest accepted value.

        Raises:
            ProblemError: it is missing, or is no whole number of the range.
        """
        name = next((each for each in names if self.has(each)), names[0])
        value = self.values.get(name)
        if value is None and default is not None:
            return default
        if type(value) is not int or not least <= value <= most:
            remedy = "Take the config.json that belongs to the weights." if value is None else ""
            accepted = f"a whole number from {least:,} to {most:,}"
            raise ProblemError(self.place + name, value, accepted, remedies=[remedy] if remedy else [])
        return value

    def number(self, name: str, default: float) -> float:
        """Return a finite number above 0."""
        value = self.values.get(name)
        if value is None:
            return default
        if type(value) not in (int, float) or not 0 < value <= _MAX_SIZE:
            raise ProblemError(self.place + name, value, "a finite number above 0")
        return float(value)

    def layers(self, *names: str, default: int | None = None, least: int = 1) -> int:
        """Return a number of layers, as `size`."""
        return self.size(*names, default=default, least=least, most=MAX_LAYERS)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return true or false; raises ProblemError for anything else."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise ProblemError(self.place + name, value, "true or false")
        return value

    def word(self, name: str, default: str = "") -> str:
        """Return a text; raises ProblemError for anything else."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, str) or len(value) > MAX_LAYERS:
            raise ProblemError(self.place + name, value, f"a text of at most {MAX_LAYERS} characters")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers from 0; empty where it is not given."""
        value = self.values.get(name)
        if value is None:
            return ()
        if (
            not isinstance(value, list)
            or len(value) > MAX_LAYERS
            or any(type(each) is not int or each < 0 for each in value)
        ):
            raise ProblemError(self.place + name, value, f"a list of at most {MAX_LAYERS} whole numbers from 0")
        return tuple(value)

    def kinds(self, name: str, count: int, accepted: Sequence[str]) -> tuple[str, ...] | None:
        """Return the kind of each of `count` layers; None where the list is not given."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) < count or any(each not in accepted for each in value):
            words = f"a list of {count} kinds of layers, each one of {', '.join(accepted)}"
            raise ProblemError(self.place + name, value, words)
        return tuple(value[:count])

    def section(self, *names: str) -> Fields:
        """Return a nested mapping; raises ProblemError where there is none."""
        name = next((each for each in names if self.has(each)), names[0])
        value = self.values.get(name)
        if not isinstance(value, Mapping):
            raise ProblemError(self.place + name, value, "a mapping of fields")
        return Fields(value, f"{self.place}{name}.", self.notes)

    def under(self, values: Mapping[str, Any]) -> Fields:
        """Return a copy with `values` as fallbacks, such as fields under older names."""
        given = {key: value for key, value in self.values.items() if value is not None}
        return Fields({**values, **given}, self.place, self.notes)

    def with_defaults(self, values: Mapping[str, Any]) -> Fields:
        """Return the same with the defaults of a family for fields that are left out, which a note lists; null stays null."""
        absent = {key: value for key, value in values.items() if key not in self.values}
        if absent:
            listed = ", ".join(f"{key} = {json.dumps(value)}" for key, value in absent.items())
            self.note(f"{self.place}{listed}: assumed, as the family's default.")
        return Fields({**absent, **self.values}, self.place, self.notes)

    def divide(self, name: str, value: int, divisor: int, words: str) -> int:
        """Return `value / divisor`; raises ProblemError where that is no whole number."""
        if value % divisor:
            raise ProblemError(self.place + name, value, f"a multiple of {divisor}, the {words}")
        return value // divisor

    def share(self, name: str, value: int, whole: int, words: str) -> int:
        """Return `whole / value`; raises ProblemError where that is no whole number."""
        if whole % value:
            raise ProblemError(self.place + name, value, f"a divisor of {words} ({whole})")
        return whole // value

    def note(self, sentence: str) -> None:
        """Add a note, each once."""
        if sentence not in self.notes:
            self.notes.append(sentence)


def parse_configuration(source: str | bytes | Mapping[str, Any]) -> Fields:
    """Return the fields of a configuration.

    Args:
        source: JSON text, or the mapping itself.

    Raises:
        ProblemError: no JSON object, too long or too deep, or with numbers that are not finite.
    """
    content = source if isinstance(source, Mapping) else _parse(source)
    if not isinstance(content, Mapping):
        raise ProblemError(
            "configuration", type(content).__name__, "a JSON object, such as a config.json of Hugging Face"
        )
    _check_values(content)
    fields = Fields(content)
    for key in _CODE_KEYS:
        if content.get(key):
            fields.note(f"{key} is ignored: no code of the configuration is executed.")
    return fields


def _parse(text: str | bytes) -> Any:
    if len(text) > MAX_TEXT_BYTES:
        raise ProblemError("configuration", f"{len(text):,} bytes", f"at most {MAX_TEXT_BYTES:,} bytes of JSON")
    try:
        return json.loads(text)
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise ProblemError("configuration", str(error), "a JSON object", line) from None


def _too_deep() -> ProblemError:
    return ProblemError(
        "configuration", f"more than {_MAX_DEPTH} levels", f"JSON of at most {_MAX_DEPTH} nested levels"
    )


def _check_values(content: Any) -> None:
    """Refuse numbers that are not finite, and nesting without end; without recursion, as depth may be anything."""
    level = [content]
    for _ in range(_MAX_DEPTH):
        below: list[Any] = []
        for each in level:
            if isinstance(each, Mapping):
                below.extend(value for key, value in each.items() if key not in ENDLESS_KEYS)
            elif isinstance(each, list | tuple):
                below.extend(each)
            elif isinstance(each, float) and not math.isfinite(each):
                raise ProblemError("configuration", each, "JSON with finite numbers")
        if not below:
            return
        level = below
    raise _too_deep()
