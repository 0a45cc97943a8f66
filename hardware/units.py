"""Units that columns of measured and given values may have, converted once to the unit that everything computes in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """A unit: value in `base` = factor x value.

    Attributes:
        symbol: as people write it ("mW").
        base: symbol of the unit that is computed in ("W"); it tells what is measured, too.
        factor: how much of `base` one of it is.
    """

    symbol: str
    base: str
    factor: float


_FACTORS: dict[str, dict[str, float]] = {
    "s": {"s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0, "d": 86400.0},
    "W": {"W": 1.0, "mW": 1e-3, "uW": 1e-6, "kW": 1e3},
    "J": {"J": 1.0, "mJ": 1e-3, "kJ": 1e3, "Wh": 3600.0, "mWh": 3.6},
    "share": {"share": 1.0, "%": 0.01, "percent": 0.01},
    "Hz": {"Hz": 1.0, "fps": 1.0},
    "m/s": {"m/s": 1.0, "m_per_s": 1.0, "mps": 1.0, "km/h": 1 / 3.6, "km_per_h": 1 / 3.6, "kmh": 1 / 3.6},
    "m": {"m": 1.0, "km": 1e3},
    "m/s2": {"m/s2": 1.0, "m/s²": 1.0, "m_per_s2": 1.0, "g": 9.80665, "mg": 9.80665e-3},
    "deg": {"deg": 1.0, "°": 1.0},
    "deg/s": {
        "deg/s": 1.0,
        "°/s": 1.0,
        "deg_per_s": 1.0,
        "dps": 1.0,
        "rad/s": 57.29577951308232,
        "rad_per_s": 57.29577951308232,
    },
    "degC": {"degC": 1.0, "°C": 1.0, "C": 1.0},
    "V": {"V": 1.0, "mV": 1e-3},
    "A": {"A": 1.0, "mA": 1e-3},
    "bit/s": {
        "bit/s": 1.0,
        "kbit/s": 1e3,
        "Mbit/s": 1e6,
        "Gbit/s": 1e9,
        "bit_per_s": 1.0,
        "kbit_per_s": 1e3,
        "Mbit_per_s": 1e6,
        "bps": 1.0,
        "kbps": 1e3,
        "Mbps": 1e6,
        "Gbps": 1e9,
    },
    "mm/h": {"mm/h": 1.0, "mm_per_h": 1.0},
    "1": {"1": 1.0},
}
UNITS: dict[str, Unit] = {
    symbol: Unit(symbol, base, factor) for base, symbols in _FACTORS.items() for symbol, factor in symbols.items()
}
# As they stand at the end of names, where people write small letters ("power_budget_w").
SUFFIXES: dict[str, Unit] = {
    symbol.lower(): unit for symbol, unit in UNITS.items() if symbol.replace("_", "").isascii() and symbol != "1"
} | {"pixels": Unit("pixels", "1", 1.0), "mw": UNITS["mW"]}
UNITS_IN_WORDS = (
    "a unit out of "
    + ", ".join(
        symbol
        for symbol in UNITS
        if "_per_" not in symbol and symbol not in ("percent", "kmh", "mps", "dps", "bps", "kbps", "Gbps", "1")
    )
    + ", or 1 for a plain number, as in level [1]"
)


def split_unit(name: str) -> tuple[str, Unit] | None:
    """Name and unit of a column: "power_mw", "power [mW]", "power (mW)"; None where it names no known unit."""
    text = name.strip()
    for opening, closing in (("[", "]"), ("(", ")")):
        if text.endswith(closing) and opening in text:
            words, _, symbol = text[:-1].rpartition(opening)
            unit = _unit(symbol.strip())
            return (words.strip(), unit) if unit and words.strip() else None
    parts = text.split("_")
    for cut in range(1, len(parts)):  # the longest suffix first: "speed_km_per_h"
        unit = _unit("_".join(parts[cut:]))
        if unit is not None and any(parts[:cut]):
            return "_".join(parts[:cut]), unit
    return None


def _unit(symbol: str) -> Unit | None:
    """The unit of a symbol, in small letters too; none where a capital M may mean mega and not milli ("MW")."""
    found = UNITS.get(symbol) or SUFFIXES.get(symbol.lower())
    return None if found and symbol.startswith("M") and found.base in ("W", "J", "V", "A") else found
