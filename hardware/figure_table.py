"""Every figure of a hardware document in rows: value, unit, where it is from, and how sure that is.

Units stand in the names of keys (`bandwidth_gb_per_s`); quality stands in the first word of a source ("assumed; ...").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Quality = Literal["read", "derived", "approximate", "assumed", "community"]
QUALITIES: tuple[Quality, ...] = ("read", "derived", "approximate", "assumed")
# Confidence that a document states -> the same in the words of sources.
_STATED: Mapping[str, Quality] = {
    "solid": "read",
    "derived": "derived",
    "approx": "approximate",
    "community": "community",
}

# End of a key -> unit, longer ends first where one is the end of another.
_UNITS = (
    ("_gb_per_s_per_interface", "GB/s per interface"),
    ("_gb_per_s", "GB/s"),
    ("_tera_operations_per_s", "TOP/s"),
    ("_pj_per_bit_per_hop", "pJ/bit/hop"),
    ("_pj_per_bit_per_mm", "pJ/bit/mm"),
    ("_pj_per_flit", "pJ/flit"),
    ("_ps_per_mm", "ps/mm"),
    ("_gbit_per_s", "Gbit/s"),
    ("_pj_per_bit", "pJ/bit"),
    ("_pj_per_byte", "pJ/B"),
    ("_nj_per_bit", "nJ/bit"),
    ("_mw_per_mbps", "mW per Mbit/s"),
    ("_mbps", "Mbit/s"),
    ("_percent", "%"),
    ("_usd_per_gate", "USD/gate"),
    ("_usd_per_mm2", "USD/mm²"),
    ("_usd", "USD"),
    ("_per_mm2", "1/mm²"),
    ("_per_m2", "1/m²"),
    ("_mm2", "mm²"),
    ("_mm", "mm"),
    ("_um", "um"),
    ("_level_share", "of capacity"),
    ("_wh", "Wh"),
    ("_mhz", "MHz"),
    ("_hz", "Hz"),
    ("_bits", "bit"),
    ("_energy_macs", "MAC"),
    ("_pj", "pJ"),
    ("_elements_per_cycle", "elements/cycle"),
    ("operations_per_cycle", "operations/cycle"),
    ("bytes_per_cycle", "B/cycle"),
    ("_cycles", "cycles"),
    ("cycles_per_64_bytes", "cycles"),
    ("_ps", "ps"),
    ("_ns", "ns"),
    ("_ms", "ms"),
    ("_nm", "nm"),
    ("_kib", "KiB"),
    ("_mib", "MiB"),
    ("_gib", "GiB"),
    ("_mw", "mW"),
    ("_w", "W"),
    ("_v", "V"),
    ("_h", "h"),
    ("word_bytes", "B"),
    ("operations_per_weight", "operations/weight"),
)
_NAMES_WITH_UNITS = ("word_bytes", "bytes_per_cycle", "operations_per_cycle")


@dataclass(frozen=True)
class Figure:
    """One figure of a document.

    Attributes:
        key: dotted, as in the document.
        group: the top-level key in words, "" for a figure that stands there itself.
        title: the rest of the key in words, without its unit.
        value: a number, or words for a list ("29 from 115.2 to 2265.6").
        source: source of the data.
    """

    key: str
    group: str
    title: str
    value: float | str
    unit: str
    source: str
    quality: Quality


def figure_table(
    content: Mapping[str, Any], sources: Mapping[str, str], confidence: Mapping[str, str] | None = None
) -> tuple[Figure, ...]:
    """Return the figures of a document, in the order of its sources.

    Args:
        content: the document.
        sources: dotted key of every figure -> where it is from (`ChipletPackage.sources`, `Soc.sources`).
        confidence: dotted key -> how sure it is, for those of which the document says it (`Soc.confidence`).
    """
    stated = {key: _STATED[words] for key, words in (confidence or {}).items()}
    return tuple(_figure(key, _at(content, key), source, stated.get(key)) for key, source in sources.items())


def quality_of(source: str) -> Quality:
    """Return the quality that the first word of a source states; without such a word the value counts as read from the source."""
    first = source.split(maxsplit=1)[0].rstrip(":;,").lower() if source.split() else ""
    return next((quality for quality in QUALITIES if quality == first), "read")


def unit_of(key: str) -> str:
    """Return the unit that a dotted key names, in its last part or in one around it ("idle_rails_mw.gpu"); "" for none."""
    for part in reversed(key.split(".")):
        for end, unit in _UNITS:
            if part.endswith(end):
                return unit
    return ""


def title_of(key: str) -> str:
    """Return a dotted key in words, without its unit, as forms write it: "Units: gpu, frequencies".

    Of an element, those of its list.
    """
    parts = key.split(".")
    while len(parts) > 1 and parts[-1].isdigit():
        parts.pop()
    figure = _figure(".".join(parts), "", "")
    return f"{figure.group}: {figure.title.lower()}" if figure.group else figure.title


def _at(content: Mapping[str, Any], key: str) -> Any:
    value: Any = content
    for part in key.split("."):
        value = value[part]
    return value


def _figure(key: str, value: Any, source: str, stated: Quality | None = None) -> Figure:
    group, _, rest = key.partition(".")
    if not rest:
        group, rest = "", key
    parts = [_words(part) for part in rest.split(".")]
    title = ", ".join(parts)
    words, quality = group and _words(group).capitalize(), stated or quality_of(source)
    return Figure(
        key,
        words,
        title[:1].upper() + title[1:],
        _value(value) if key != "year" else str(value),
        unit_of(key),
        source,
        quality,
    )


def _words(part: str) -> str:
    if part not in _NAMES_WITH_UNITS:
        for end, _unit in _UNITS:
            part = part.removesuffix(end) if part.endswith(end) and part != end else part
    return part.replace("_", " ")


def _value(value: Any) -> float | str:
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, list | tuple):
        numbers = [item for item in value if isinstance(item, int | float)]
        if len(numbers) == len(value) > 3:
            return f"{len(numbers)} from {min(numbers):g} to {max(numbers):g}"
        return ", ".join(f"{item:g}" if isinstance(item, int | float) else _row(item) for item in value)
    return str(value)


def _row(item: Any) -> str:
    return " ".join(map(str, item)) if isinstance(item, list) else str(item)
