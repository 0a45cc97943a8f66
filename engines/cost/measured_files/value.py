"""A measured value of a whole network, as a file states it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.contract.errors import ProblemError
from hardware.bits import is_bits_name
from hardware.units import UNITS

MOST_VALUES = 5_000
MOST_BATCH = 65_536
# Metric -> unit of its values here.
METRICS: Mapping[str, str] = {"latency": "s", "throughput": "1/s", "energy": "J"}
# What a person may state for all values of a file that do not state it themselves.
STATED = ("device", "network", "unit", "runtime", "runtime_version", "precision", "batch", "measured_on")
_RATES = {"1/s", "fps", "qps", "ips", "inf/s", "inferences/s", "infer/s", "samples/s", "hz"}
_DAY = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


class RefusedValueError(Exception):
    """An error for a value that cannot be used; its message is the reason."""


@dataclass(frozen=True)
class MeasuredValue:
    """One value.

    Attributes:
        place: place in the file ("line 12").
        metric: metric of `METRICS`.
        value: in the unit of the metric, of a whole batch; a throughput counts samples.
        device, network: as the file names them; "" where it does not, as for the texts below.
        unit: compute unit, in small letters.
        runtime_version: version of the runtime.
        precision: name of bits ("int8", "w8a16").
        statistic: statistic over the measurements ("median of 50 runs").
        measured_on: day, month or year ("2026-02").
        licence, source: licence and source of the value.
    """

    place: str
    metric: str
    value: float
    device: str = ""
    network: str = ""
    unit: str = ""
    runtime: str = ""
    runtime_version: str = ""
    precision: str = ""
    batch: int = 1
    statistic: str = ""
    measured_on: str = ""
    licence: str = ""
    source: str = ""


@dataclass(frozen=True)
class RefusedValue:
    """A value that is not used, with the reason."""

    place: str
    what: str
    reason: str


@dataclass
class MeasuredFile:
    """The content of a file.

    Attributes:
        format: name of its format on pages.
        values: values that can be used according to the file alone.
        refused: the other values.
        operators: whether it has times of single operators, which a calibration can use.
        columns, mapping, sample: heading of a table, field of each mapped column, and first rows.
    """

    format: str
    values: list[MeasuredValue] = field(default_factory=list)
    refused: list[RefusedValue] = field(default_factory=list)
    operators: bool = False
    columns: Sequence[str] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    sample: Sequence[Sequence[str]] = ()


def positive(value: Any, field_name: str) -> float:
    """Return a number above 0.

    Raises:
        ProblemError: `value` is not a number above 0.
    """
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < math.inf:
        raise ProblemError(field_name, value, "a number above 0")
    return number


def in_metric(number: float, symbol: str, metric: str = "") -> tuple[str, float]:
    """Return metric and value of a number in a unit.

    Args:
        number: number of that unit.
        symbol: "ms", "fps", "mJ", ...
        metric: metric that the unit must fit; "" for any.

    Raises:
        RefusedValueError: the unit is of none, or of another metric.
    """
    unit = UNITS.get(symbol.replace("µ", "u"))
    if symbol.lower() in _RATES:
        found, factor = "throughput", 1.0
    elif unit is not None and unit.base in ("s", "J"):
        found, factor = {"s": "latency", "J": "energy"}[unit.base], unit.factor
    else:
        raise RefusedValueError(f"The unit must be of time, energy, or inferences per second. Got {symbol or 'none'}.")
    if metric and metric != found:
        raise RefusedValueError(f"The unit {symbol} is of {found}, but the row states {metric}.")
    if not 0 < number < math.inf:
        raise RefusedValueError(f"The value must be a number above 0. Got {number:g}.")
    return found, number * factor


def precision_of(name: str, unit: str = "") -> str:
    """Return the bits that tools of vendors mean: "float" is fp16 on accelerators, and "w8a8" as int8; "" where none are stated.

    Raises:
        RefusedValueError: the name is unknown.
    """
    text = name.strip().lower().replace("_", "-")
    aliases = {"float": "fp32" if unit == "cpu" else "fp16", "float16": "fp16", "half": "fp16", "float32": "fp32"}
    aliases |= {"w8a8": "int8", "uint8": "int8", "asymmetric-quantized-8": "int8", "i8": "int8"}
    text = aliases.get(text, text)
    if text and not is_bits_name(text):
        raise RefusedValueError(f"The precision must be a name of bits, such as int8, fp16 or w8a16. Got {name[:60]}.")
    return text


def batch_of(text: Any) -> int:
    """Return a batch; 1 where nothing is stated.

    Raises:
        RefusedValueError: it is not a whole number of at least 1.
    """
    words = str(text).strip()
    if not words:
        return 1
    if not re.fullmatch(r"\d{1,5}(\.0*)?", words) or not 1 <= int(float(words)) <= MOST_BATCH:
        raise RefusedValueError(f"The batch must be a whole number from 1 to {MOST_BATCH}. Got {words[:60]}.")
    return int(float(words))


def day_of(text: str) -> str:
    """Return a day, month or year.

    Raises:
        RefusedValueError: it is not a day, month or year.
    """
    if text and not _DAY.fullmatch(text):
        raise RefusedValueError(f"The date must be like 2026-02-12, 2026-02 or 2026. Got {text[:60]}.")
    return text
