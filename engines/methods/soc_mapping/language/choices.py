"""Bits and qualities that people type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from engines.contract.problem import require
from engines.contract.typed_lists import finite, numbers
from engines.cost.soc.model import bits_of
from engines.methods.soc_mapping.language.params import LanguageMappingParams
from hardware.bits import bit_widths

_MOST = 12
T = TypeVar("T")


@dataclass(frozen=True)
class BitChoices:
    """The bits that the search chooses from.

    Attributes:
        bits: names of bits of weights and activations.
        cache_bits: cache bits of an element of keys and values.
        quality: quality by bits and by "cache <bits>"; empty without a table.
    """

    bits: tuple[str, ...]
    cache_bits: tuple[float, ...]
    quality: Mapping[str, float] = field(default_factory=dict)

    def quality_of(self, bits: Sequence[str], cache_bits: float) -> float:
        """Return the lowest quality of the bits of a design; NaN without a table."""
        if not self.quality:
            return float("nan")
        return min(self.quality[each] for each in (*bits, cache_name(cache_bits)))


def cache_name(bits: float) -> str:
    """Return the name of cache bits in a table of qualities: "cache 8"."""
    return f"cache {bits:g}"


def bit_choices(params: LanguageMappingParams) -> BitChoices:
    """Return the choices of bits that the parameters allow.

    Raises:
        ProblemError: bits that nobody knows, or a table of qualities that lacks one of them.
    """
    names = tuple(dict.fromkeys(re.findall(r"[^\s,;]+", params.bits)))
    require(0 < len(names) <= _MOST, "params.bits", params.bits, f"1 to {_MOST} names of bits, apart by commas")
    for name in names:
        bits_of(name, "params.bits")
    cache = numbers(
        params.cache_bits, "params.cache_bits", "a number of bits from 1 to 32", lambda bits: 1 <= bits <= 32
    )
    quality = _qualities(params.quality)
    for name in (*names, *map(cache_name, cache)) if quality else ():
        known = ", ".join(quality)
        require(
            name in quality, "params.quality", known, f"a table with an entry for each choice of bits, as {name!r}",
            remedies=[f"Add {name!r} with its quality, or leave the table empty."],
        )  # fmt: skip
    names = _allowed(names, params.weight_bits_limit, lambda name: bit_widths(name).weights)
    return BitChoices(names, _allowed(cache, params.cache_bits_limit, float), quality)


def _allowed(choices: tuple[T, ...], least: float | None, bits: Callable[[T], float]) -> tuple[T, ...]:
    """Return the choices of at least so many bits; all where none has: the run then says which limit no design meets."""
    return tuple(each for each in choices if least is None or bits(each) >= least) or choices


def _qualities(given: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for entry in filter(None, (each.strip() for each in re.split(r"[;\n]", given))):
        name, _, value = entry.partition(":")
        quality = finite(value.strip())
        accepted = 'entries as "w4a16: 97" or "cache 8: 99.5", apart by semicolons'
        require(bool(name.strip()) and quality is not None, "params.quality", entry, accepted)
        found[" ".join(name.split())] = float(value)
    return found
