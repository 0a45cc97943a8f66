"""Damaged files of other tools: each is a network or a clear refusal, and never a failure of its reader."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engines.documents import ReadDocument
from engines.errors import ProblemError
from engines.workloads.importing.maestro_reader import read_maestro
from engines.workloads.importing.zigzag_reader import read_document
from tests.engines.workloads.importing.test_maestro_reader import FILE as MAESTRO
from tests.engines.workloads.importing.test_zigzag_reader import FILE as ZIGZAG

FILES = 1000
SLOWEST_S = 10.0
_ODD = (
    "{",
    "}",
    ":",
    "-1",
    "0",
    "99999999999",
    "K",
    "Layer",
    "[",
    "]",
    "~",
    "i",
    "\x00",
    "*",
    "+=",
    "Network",
    "1.5",
    "G",
    "fx",
)

Reader = Callable[[bytes, str, Mapping[str, Any]], ReadDocument]


def damaged(dice: random.Random, text: str) -> bytes:
    """The text with words put in, taken out or put in the place of others, or cut off."""
    words = text.split(" ")
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(words))
        match dice.randrange(5):
            case 0:
                words[place] = dice.choice(_ODD)
            case 1:
                words.insert(place, dice.choice(_ODD))
            case 2 if len(words) > 1:
                del words[place]
            case 3:
                words[place] = words[dice.randrange(len(words))]
            case _:
                words = words[: max(place, 1)] if dice.random() < 0.3 else words
    return " ".join(words).encode()


@pytest.mark.long
@pytest.mark.parametrize(("reader", "text"), [(read_maestro, MAESTRO), (read_document, ZIGZAG)])
def test_a_thousand_damaged_files_are_networks_or_refusals(reader: Reader, text: str) -> None:
    dice = random.Random(20240607)
    read = 0
    for _ in range(FILES):
        data, begun = damaged(dice, text), time.monotonic()
        refusal: ProblemError | None = None
        try:
            reader(data, "damaged", {})
        except ProblemError as error:
            refusal = error
        assert time.monotonic() - begun < SLOWEST_S
        assert refusal is None or refusal.accepted
        read += refusal is None
    assert 0.02 * FILES < read < 0.95 * FILES
