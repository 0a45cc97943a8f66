"""Board documents behind the names that tables of measurements use for devices and their chips."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from hardware.slugs import slug_of
from hardware.soc.loader import builtin_socs, soc_aliases

# Products whose name does not tell the chip; each source names the chip in another column or not at all.
_PRODUCTS = {
    "samsunggalaxys24": "snapdragon-8-gen-3",
    "samsunggalaxys25": "snapdragon-8-elite",
    "discof746ng": "stm32f746",
    "ekra8d1": "ra8d1",
    "k1boardv10": "spacemit-k1",
    "k1boardv10highfreq": "spacemit-k1",
}
_WORDS = re.compile(
    r"qualcomm|rockchip|nvidia|proxy|forgalaxy|\badp\b|\bqrd\b|\bmtp\b|\bcrd\b|renesas|dragonwing|mobile (?:platform|hdk)"
)


@lru_cache(maxsize=1024)
def device_boards(device: str, chip: str = "") -> tuple[str, ...]:
    """Return the slugs of the boards that a source means: several where it names two chips, none where no document has it.

    Args:
        device: as the source calls it ("RK3566/RK3568", "QCS8550 (Proxy)").
        chip: its chip, where the source names it apart.
    """
    found: dict[str, None] = {}
    for part in (*re.split(r"/| or ", device), *re.split(r" or |[()]", chip), device):
        found |= dict.fromkeys(_boards(part))
    return tuple(found)


def device_name(device: str, chip: str = "") -> str:
    """Return the slug under which rows of a device stand: its own name, as two products of one chip differ."""
    return slug_of(device or chip, "device")


def _boards(name: str) -> Iterator[str]:
    short = _squeezed(_WORDS.sub(" ", name.lower().replace("-", " ")))
    known = _known_names()
    if short in known:
        yield known[short]
        return
    yield from (slug for each, slug in known.items() if each.startswith("stm32") and short.startswith(each))


def _squeezed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("for galaxy", ""))


@cache
def _known_names() -> Mapping[str, str]:
    own = {_squeezed(slug): slug for slug in builtin_socs()}
    return {**{_squeezed(alias): slug for alias, slug in soc_aliases().items()}, **own, **_PRODUCTS}
