"""Units of columns in tables, converted once to the units of all computation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

GIB = 2**30


@dataclass(frozen=True)
class Unit:
    """A unit: value in `base` = factor x value.

    Attributes:
        symbol: as people write it ("mW").
        base: symbol of the unit of computation ("W"), which also identifies the measured quantity.
        factor: number of base units in one of this unit.
    """

    symbol: str
    base: str
    factor: float

    @property
    def reading(self) -> str:
        """The unit and what it was read as: "MB/s, read as 8 Mbit/s"; the symbol alone where it is the base or a plain number."""
        if self.symbol == self.base or self.base == "1":
            return self.symbol
        million = self.base == "bit/s" and self.factor >= 1e6
        return (
            f"{self.symbol}, read as {self.factor / 1e6:.6g} Mbit/s"
            if million
            else f"{self.symbol}, read as {self.factor:.6g} {self.base}"
        )


_PER_S = ("/s", "/sec", "_per_s")
_BIT_PER_S = {
    f"{prefix}{form}": factor
    for prefix, factor in (("", 1.0), ("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9))
    for form in ("bps", *(f"{bit}{per_s}" for bit in ("bit", "bits", "Bit", "Bits", "b") for per_s in _PER_S))
}
_BYTE_PER_S = {
    f"{prefix}{form}": 8 * factor
    for prefix, factor in (
        ("", 1.0), ("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("Ki", 2.0**10), ("Mi", 2.0**20), ("Gi", 2.0**30)
    )
    for form in ("Bps", *(f"{byte}{per_s}" for byte in ("B", "byte", "bytes", "Byte", "Bytes") for per_s in _PER_S))
}  # fmt: skip
_FACTORS: dict[str, dict[str, float]] = {
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "d": 86400.0},
    "W": {"W": 1.0, "mW": 1e-3, "uW": 1e-6, "nW": 1e-9, "kW": 1e3},
    "J": {"J": 1.0, "mJ": 1e-3, "uJ": 1e-6, "kJ": 1e3, "Wh": 3600.0, "mWh": 3.6, "kWh": 3.6e6},
    "share": {"share": 1.0, "%": 0.01, "percent": 0.01},
    "Hz": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "fps": 1.0},
    "m/s": {
        "m/s": 1.0, "m_per_s": 1.0, "mps": 1.0, "km/h": 1 / 3.6, "km_per_h": 1 / 3.6, "kmh": 1 / 3.6, "mph": 0.44704
    },
    "m": {"m": 1.0, "km": 1e3},
    "m/s2": {"m/s2": 1.0, "m/s²": 1.0, "m/s^2": 1.0, "m_per_s2": 1.0, "g": 9.80665, "mg": 9.80665e-3},
    "deg": {"deg": 1.0, "°": 1.0},
    "deg/s": {
        "deg/s": 1.0, "°/s": 1.0, "deg_per_s": 1.0, "dps": 1.0, "rad/s": 57.29577951308232, "rad_per_s": 57.29577951308232
    },
    "degC": {"degC": 1.0, "°C": 1.0, "C": 1.0},
    "V": {"V": 1.0, "mV": 1e-3, "uV": 1e-6},
    "A": {"A": 1.0, "mA": 1e-3, "uA": 1e-6, "nA": 1e-9},
    "Ah": {"Ah": 1.0, "mAh": 1e-3, "uAh": 1e-6, "As": 1 / 3600},
    "bit/s": _BIT_PER_S | _BYTE_PER_S,
    "mm/h": {"mm/h": 1.0, "mm_per_h": 1.0},
    "1": {"1": 1.0, "pixels": 1.0},
}  # fmt: skip
UNITS: dict[str, Unit] = {
    symbol: Unit(symbol, base, factor) for base, symbols in _FACTORS.items() for symbol, factor in symbols.items()
}
# Symbols that people write in small letters ("power_budget_w", "rate_mbps"). A byte is none: "mb/s" may be either.
_SMALL: dict[str, Unit] = {
    symbol.lower(): unit
    for symbol, unit in UNITS.items()
    if not re.search("(B|b|Bps)(/s|/sec|_per_s)?$", symbol) and symbol != "1"
}
# The same without regard to capitals: what such a name counts is asked.
_BITS_OR_BYTES = {symbol.lower() for symbol in _BYTE_PER_S}
# The last of these words in a name says what is measured; a unit of anything else is a misreading ("wind_speed_ms").
_QUANTITIES: Mapping[str, tuple[str, ...]] = {
    word: tuple(bases.split())
    for words, bases in (
        ("speed velocity wind", "m/s deg/s deg"), ("power", "W share"), ("energy", "J Ah share"), ("voltage", "V"),
        ("current", "A"), ("charge", "Ah J share"), ("temperature temp", "degC"), ("humidity", "share"),
        ("latitude longitude heading course", "deg"), ("altitude elevation distance", "m"), ("weight mass", ""),
        ("acceleration accel acc", "m/s2"), ("gyro", "deg/s"), ("bandwidth throughput bitrate", "bit/s Hz"),
        ("time delay latency duration elapsed", "s"), ("frequency", "Hz"), ("quat quaternion", "1"),
    )
    for word in words.split()
}  # fmt: skip
UNITS_IN_WORDS = (
    "a unit out of "
    + ", ".join(
        symbol
        for symbol in UNITS
        if "_per_" not in symbol
        and not re.search(r"ps$|b/s|sec$|[Bb]yte|Bit|bits|^[KGk]|percent|kmh|[²^]|^1$", symbol.replace("fps", "f"))
    )
    + ", or 1 for a plain number, as in level [1]"
)


def split_unit(name: str) -> tuple[str, Unit] | None:
    """Return name and unit of a column such as "power_mw", "power [mW]" or "power (mW)"; None where no known unit fits the name."""
    found = _named_unit(name.strip().replace("µ", "u").replace("μ", "u"))
    return found if found and _fits(*found) else None


def unit_advice(name: str) -> str:
    """Return the accepted names for a column of which `split_unit` knows no unit; completes "must be ..."."""
    found = _named_unit(name.strip())
    if found and not _fits(*found):
        fitting = [base for word in _words(found[0])[-1:] for base in _QUANTITIES[word]]
        if fitting:
            return f"a unit that fits the name, such as {found[0]} [{fitting[0]}]: {found[1].symbol} is read as {found[1].base}"
    return f"a name with a unit, such as power_w or power [mW] (B is a byte, b a bit): {UNITS_IN_WORDS}"


def _named_unit(text: str) -> tuple[str, Unit] | None:
    for opening, closing in (("[", "]"), ("(", ")")):
        if text.endswith(closing) and opening in text:
            words, _, symbol = text[:-1].rpartition(opening)
            unit = _unit(symbol.strip())
            return (words.strip(), unit) if unit and words.strip() else None
    parts = text.split("_")
    for cut in range(1, len(parts)):  # the longest suffix first: "speed_km_per_h", "speed_km_h"
        symbol, ratio = "_".join(parts[cut:]), "_".join(parts[cut:-1]) + f"/{parts[-1]}"
        unit = _unit(symbol) or _unit(ratio)
        if parts[cut - 1] == "per" or (unit is None and ratio.lower() in _BITS_OR_BYTES):
            return None  # no time: "frames_per_s", "rate_mb_s"
        if unit is not None and any(parts[:cut]):
            return "_".join(parts[:cut]), unit
    return None


def _unit(symbol: str) -> Unit | None:
    """Return the unit of a symbol, in letters of one size too, unless a capital may say mega and not milli ("MW")."""
    if symbol in UNITS:
        return UNITS[symbol]
    found = _SMALL.get(symbol.lower()) if not re.search(r"[A-Z].*[a-z]|[a-z].*[A-Z]", symbol) else None
    return None if found and symbol[:1] == "M" and found.base != "s" else found


def _fits(name: str, unit: Unit) -> bool:
    words = _words(name)
    if unit.symbol == "C":
        return bool(words) and words[-1] in ("temperature", "temp")
    return not words or unit.base in _QUANTITIES[words[-1]]


def _words(name: str) -> list[str]:
    """Return the words of a name that say what is measured."""
    return [word for word in re.split(r"[^a-z]+", name.lower()) if word in _QUANTITIES]
