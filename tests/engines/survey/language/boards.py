"""Boards for tests of language models: measured and from the data sheet, with and without power and memory."""

from __future__ import annotations

from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc

_NAMES = ("rk3588", "jetson-orin-nano-8gb", "raspberry-pi-5", "jetson-tx2", "stm32n6", "snapdragon-x-elite")


def some_boards() -> list[tuple[str, Soc]]:
    """Return a few boards with their names."""
    return [(name, load_soc(content, name)) for name, content in builtin_socs().items() if name in _NAMES]
