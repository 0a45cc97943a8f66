"""Numbers as people read them: significant digits, SI prefixes, thin spaces between thousands, one unit per column."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from engines.contract import integer_format
from engines.contract.integer_format import counted
from engines.contract.quantities import SHARE

MISSING = "–"
many = integer_format.many
NO_BREAK = "\u00a0"
THIN = "\u2009"

_PREFIXES: tuple[tuple[str, int], ...] = (
    ("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0), ("m", -3), ("µ", -6), ("n", -9), ("p", -12),
)  # fmt: skip
_SMALL = next(place for place, (_, exponent) in enumerate(_PREFIXES) if exponent < 0)
# Units whose first symbol takes a prefix; a count ("designs"), a share ("%") or a unit that has one ("MB") does not.
_PREFIXABLE = ("s", "J", "W", "B", "Hz", "V", "A", "bit", "FLOP", "OP", "MAC", "Wh")


@dataclass(frozen=True)
class Scale:
    """A unit for a whole axis or column: shown value = stored value x `factor`, in `unit`."""

    factor: float
    unit: str


_NO_FACTORS = frozenset({"%", "fps", "×"})


def takes_prefix(unit: str) -> bool:
    """Return whether the unit may be written with an SI prefix ("s", "J·s", "B/s", "%·J"; not "%", "designs", "MB")."""
    return _place_of_prefix(unit) is not None


def _place_of_prefix(unit: str) -> int | None:
    """Return the factor of the unit's numerator that takes the prefix: the first possible one."""
    factors = unit.partition("/")[0].split("·")
    return next((place for place, factor in enumerate(factors) if factor in _PREFIXABLE), None)


def _prefixed(unit: str, prefix: str) -> str:
    numerator, slash, denominator = unit.partition("/")
    factors = numerator.split("·")
    place = _place_of_prefix(unit)
    assert place is not None
    factors[place] = prefix + factors[place]
    return "·".join(factors) + slash + denominator


def _prefix_for(value: float, unit: str) -> tuple[str, int]:
    """Return the largest prefix that leaves at least one of the unit; rates below one hertz are told in hertz ("0.1 Hz")."""
    fitting = _PREFIXES[:_SMALL] if unit == "Hz" else _PREFIXES
    return next((each for each in fitting if value >= 10.0 ** each[1]), fitting[-1])


def split_si(value: float | None, unit: str = "", digits: int = 3) -> tuple[str, str]:
    """Return the number and the unit with its prefix, apart; ("–", "") for a missing value.

    Args:
        value: in `unit`; None and NaN are missing.
        unit: SI symbol without prefix, or words.
        digits: significant digits.
    """
    if value is None or not math.isfinite(value):
        return (MISSING, "") if value is None or math.isnan(value) else ("∞" if value > 0 else "−∞", unit)
    if value == 0:
        return "0", "%" if unit == SHARE else unit
    if unit == SHARE:
        return significant(100 * value, digits), "%"
    if not takes_prefix(unit):
        return significant(value, digits), unit
    rounded = float(f"{abs(value):.{digits - 1}e}")  # 999.9 ms is 1.00 s in three digits
    prefix, exponent = _prefix_for(rounded, unit)
    return significant(value / 10.0**exponent, digits), _prefixed(unit, prefix)


def si(value: float | None, unit: str = "", digits: int = 3) -> str:
    """Return a value with its unit as in "440 ms", "4.39 J", "85.0 MB"; "–" where it is missing."""
    number, shown_unit = split_si(value, unit, digits)
    return f"{number}{NO_BREAK}{shown_unit}" if shown_unit else number


def significant(value: float, digits: int = 3) -> str:
    """Return a plain number with that many significant digits; whole digits are never cut, thousands get a thin space."""
    if not math.isfinite(value):
        return MISSING
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(float(f"{abs(value):.{digits - 1}e}")))
    if magnitude < -4:
        return f"{value:.{digits - 1}e}".replace("-", "−")
    return fixed(value, max(0, digits - 1 - magnitude))


def fixed(value: float | None, decimals: int = 0) -> str:
    """Return a number with that many decimals, a thin space between thousands and a real minus sign."""
    if value is None or not math.isfinite(value):
        return MISSING
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace(",", THIN).replace("-", "−")


def integer(value: float | None) -> str:
    """Return a whole number: "4 200", "5.2 × 10¹⁹"."""
    return fixed(value) if value is None or not 1e15 <= value < math.inf else counted(value)


def amount(value: float, unit: str = "", digits: int = 3) -> str:
    """Return a value with its unit, where what is counted has no decimals: "9 chiplets", "4.39 J"."""
    counted = float(value).is_integer() and not takes_prefix(unit) and unit != SHARE
    return f"{integer(value)}{NO_BREAK}{unit}".rstrip() if counted else si(value, unit, digits)


def percent(fraction: float | None, decimals: int = 0) -> str:
    """Return a share of one as per cent: 0.78 is "78 %"."""
    if fraction is None or not math.isfinite(fraction):
        return MISSING
    return f"{fixed(fraction * 100, decimals)}{NO_BREAK}%"


def in_sentence(title: str) -> str:
    """Return a title within a sentence: "Latency" is "latency", an abbreviation ("EDP") stays."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def ratio(value: float | None, digits: int = 3) -> str:
    """Return a ratio: "1.53 ×"."""
    return si(value, "×", digits)


def full(value: float) -> str:
    """Return every digit of the stored number, for copying."""
    return repr(float(value))


def scale_of(values: npt.ArrayLike, unit: str) -> Scale:
    """Return the one prefix under which the largest of `values` lies between 1 and 1000; NaN and infinity are left out."""
    if unit == SHARE:
        return Scale(100.0, "%")
    array = np.abs(np.asarray(values, dtype=np.float64))
    largest = float(np.max(array, where=np.isfinite(array), initial=0.0))
    if not takes_prefix(unit) or largest == 0:
        return Scale(1.0, unit)
    prefix, exponent = _prefix_for(largest * (1 + 1e-9), unit)
    return Scale(10.0**-exponent, _prefixed(unit, prefix))


def time_scale(times_s: npt.ArrayLike) -> Scale:
    """Return the unit of a time axis: seconds with a prefix up to ten minutes, minutes up to three hours, then hours."""
    longest = float(np.max(np.abs(np.asarray(times_s, np.float64)), initial=0.0))
    if longest < 600:
        return scale_of([longest], "s")
    return Scale(1 / 60, "min") if longest < 3 * 3600 else Scale(1 / 3600, "h")


def decimals_for(values: Iterable[float], digits: int = 4) -> int:
    """Equal decimals for a column, so that its largest value shows `digits` significant digits (at most six decimals)."""
    finite = [abs(v) for v in values if math.isfinite(v) and v != 0]
    if not finite or all(float(v).is_integer() for v in finite):
        return 0
    return min(6, max(0, digits - 1 - math.floor(math.log10(max(finite)))))


def reads_as_zero(values: npt.ArrayLike, beside: npt.ArrayLike, unit: str) -> npt.NDArray[np.bool_]:
    """Return a mask of the values that read 0 with the decimals that the largest of them and of `beside` needs.

    Args:
        values: shape n, in `unit`.
        beside: the other numbers of the table, of any shape, in the same unit.
        unit: SI symbol without prefix.
    """
    own = np.asarray(values, np.float64)
    shown = np.concatenate([own, np.asarray(beside, np.float64).ravel()])
    scale = scale_of(shown, unit)
    places = decimals_for((shown * scale.factor).tolist())
    return np.round(np.abs(own) * scale.factor, places) == 0


def product_unit(units: Iterable[str]) -> str:
    """Return the unit of a product, as of a hypervolume: "J·s"; "" where nobody could read it.

    That is so of more than two factors, and of a share, a count or a rate among them ("%·MB·J·fps").
    """
    factors = sorted(units)
    readable = 0 < len(factors) <= 2 and all(unit and unit not in _NO_FACTORS and "/" not in unit for unit in factors)
    return "·".join(factors) if readable else ""


def duration(seconds: float | None) -> str:
    """Return a length of time: "3.9 s", "1 min 12 s", "2 h 05 min", "3 d 4 h"."""
    if seconds is None or not math.isfinite(seconds):
        return MISSING
    if seconds < 59.95:
        return si(seconds, "s", 2 if seconds < 10 else 3) if seconds < 10 else f"{seconds:.0f}{NO_BREAK}s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}{NO_BREAK}min {whole % 60}{NO_BREAK}s"
    if whole < 86_400:
        return f"{whole // 3600}{NO_BREAK}h {whole % 3600 // 60:02d}{NO_BREAK}min"
    return f"{whole // 86_400}{NO_BREAK}d {whole % 86_400 // 3600}{NO_BREAK}h"


def ago(moment: datetime, now: datetime) -> str:
    """Return the age before `now`: "20 s ago", "12 min ago", "3 h ago", "yesterday", then the date. Both have a time zone."""
    passed = now - moment
    if passed < timedelta(minutes=1):
        return f"{max(0, int(passed.total_seconds()))}{NO_BREAK}s ago"
    if passed < timedelta(hours=1):
        return f"{int(passed.total_seconds() // 60)}{NO_BREAK}min ago"
    if passed < timedelta(days=1):
        return f"{int(passed.total_seconds() // 3600)}{NO_BREAK}h ago"
    if passed < timedelta(days=2):
        return "yesterday"
    return f"{moment.day}{NO_BREAK}{moment:%b}" + (f" {moment.year}" if moment.year != now.year else "")
