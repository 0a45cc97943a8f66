"""Document values that a what-if analysis can change, each with its range, declared by the document's family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardware.errors import HardwareError

REACH = 8.0  # a figure may be moved to an eighth and to eight times of what it is


@dataclass(frozen=True)
class Movable:
    """A value, or several that change together, in a what-if analysis.

    Attributes:
        name: unique in the document.
        title: title on pages.
        unit: displayed unit.
        value: value in the document.
        low, high: range of the value; `low` <= `value` <= `high`.
        keys: dotted keys of the document that get the value.
        bases: what each key has in the document, where these differ or are lists: they keep their ratios to each other.
        log: whether the range is a ratio and not a difference.
        whole: whether it is a count.
        choices: of a figure that is no number: value `low` + n represents the n-th of them.
    """

    name: str
    title: str
    unit: str
    value: float
    low: float
    high: float
    keys: tuple[str, ...]
    log: bool = True
    whole: bool = False
    choices: tuple[Any, ...] = ()
    bases: tuple[float | tuple[float, ...], ...] = ()

    def at(self, value: float) -> dict[str, Any]:
        """Return dotted key -> what the document has there when the figure is moved to `value`.

        Raises:
            HardwareError: it is beyond the range.
        """
        if not self.low <= value <= self.high:
            raise HardwareError("what if", self.name, value, f"{self.low:g} to {self.high:g} {self.unit}".rstrip())
        if self.choices:
            return dict.fromkeys(self.keys, self.choices[round(value - self.low)])
        if self.bases:
            pairs = zip(self.keys, self.bases, strict=True)
            return {key: _times(base, value / self.value) for key, base in pairs}
        return dict.fromkeys(self.keys, round(value) if self.whole else value)


def scaled(
    name: str, title: str, unit: str, content: Mapping[str, Any], *keys: str, whole: bool = False, least: float = 0.0
) -> Movable:
    """Return a figure above 0 that may be moved by the factor `REACH` either way, by ratio.

    Args:
        name: as of `Movable`.
        title: likewise.
        unit: likewise.
        content: the document.
        keys: dotted keys that are moved together; the first has the value, or a list of which the value is the largest.
        whole: whether it is a count.
        least: smallest value of a document.
    """
    bases = tuple(_numbers(at_key(content, key)) for key in keys)
    value = max(bases[0]) if isinstance(bases[0], tuple) else bases[0]
    low = max(value / REACH, least)
    return Movable(
        name, title, unit, value, round(low) if whole else low, value * REACH, keys, whole=whole,
        bases=bases if len(bases) > 1 or isinstance(bases[0], tuple) else (),
    )  # fmt: skip


def at_key(content: Mapping[str, Any], key: str) -> Any:
    """Return the value of a document at a dotted key; in a list, parts are numbers from 0 on."""
    value: Any = content
    for part in key.split("."):
        value = value[int(part) if isinstance(value, list | tuple) else part]
    return value


def _numbers(value: Any) -> float | tuple[float, ...]:
    return tuple(map(float, value)) if isinstance(value, list | tuple) else float(value)


def _times(base: float | tuple[float, ...], factor: float) -> float | list[float]:
    return [each * factor for each in base] if isinstance(base, tuple) else base * factor
