"""Documents and files with something wrong at a random place, as careless hands and hostile clients write them."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

_ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 3.5, "x", "", [], {}, [1], {"a": 1}, 10**30, "nan", float("inf"), {1: 2}, "N S N", [None]
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    """A copy of `document` with one to three keys taken out or replaced by something odd."""
    content = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(list(_places(content))))
        container, key = place
        if draw(st.booleans()):
            container[key] = copy.deepcopy(draw(st.sampled_from(_ODD_VALUES)))
        else:
            del container[key]
        if not content:
            break
    return content


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    for key, inner in items:
        yield value, key
        yield from _places(inner)


def mutations(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` damaged copies of a file; the same seed gives the same copies.

    A copy has one to four changes: a bit flipped, bytes put in, the end cut off, or a stretch replaced, cut out, repeated, moved or
    filled with one byte. Half of the changes hit the first 512 bytes, where most formats have their header.

    Args:
        data: the undamaged file; may be empty.
        count: of the copies.
        seed: of the random numbers.
    """
    generator = random.Random(seed)
    for _ in range(count):
        content = bytearray(data)
        for _ in range(generator.randint(1, 4)):
            generator.choice(_CHANGES)(content, generator)
        yield bytes(content)


def _stretch(content: bytearray, generator: random.Random) -> slice:
    """A random stretch, short more often than long; empty where the content is."""
    size = len(content)
    begin = generator.randrange(min(size, 512) if generator.random() < 0.5 else size) if size else 0
    return slice(begin, begin + min(size - begin, int(2 ** generator.uniform(0, 10))))


def _flip_bit(content: bytearray, generator: random.Random) -> None:
    place = _stretch(content, generator).start
    if content:
        content[place] ^= 1 << generator.randrange(8)


def _replace(content: bytearray, generator: random.Random) -> None:
    place = _stretch(content, generator)
    content[place] = generator.randbytes(place.stop - place.start)


def _fill(content: bytearray, generator: random.Random) -> None:
    place = _stretch(content, generator)
    content[place] = bytes([generator.choice((0, 0x20, 0x30, 0x7F, 0x80, 0xFF))]) * (place.stop - place.start)


def _repeat(content: bytearray, generator: random.Random) -> None:
    place = _stretch(content, generator)
    content[place] = content[place] * generator.randint(2, 4)


def _cut_out(content: bytearray, generator: random.Random) -> None:
    del content[_stretch(content, generator)]


def _cut_off(content: bytearray, generator: random.Random) -> None:
    del content[_stretch(content, generator).start :]


def _move(content: bytearray, generator: random.Random) -> None:
    place = _stretch(content, generator)
    moved = content[place]
    del content[place]
    at = _stretch(content, generator).start
    content[at:at] = moved


def _put_in(content: bytearray, generator: random.Random) -> None:
    at = _stretch(content, generator).start
    content[at:at] = generator.randbytes(generator.randint(1, 16))


_CHANGES = (_flip_bit, _replace, _fill, _repeat, _cut_out, _cut_off, _move, _put_in)
