"""Boards for editing the clocks of a design by hand, one line of steps per clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.contract.edits import Board, Piece, Place
from engines.cost.soc.clocks import ClockSettings
from hardware.soc.summary import unit_title

CLOCK = "clock"
OFF = "off"
_HZ_PER_MHZ = 1e6


def clock_boards(settings: ClockSettings, clocks_mhz: Mapping[str, float]) -> tuple[Board, ...]:
    """Return a line for each clock that has several steps among the settings; names of pieces begin with `CLOCK`.

    Args:
        settings: settings among which the search chooses.
        clocks_mhz: clocks of the design in MHz; a clock that is no step of the settings gets its own step.
    """
    steps = {name: set((column / _HZ_PER_MHZ).tolist()) for name, column in settings.frequencies_hz.items()}
    return tuple(
        clock_board(name, sorted({*found, clocks_mhz[name]}), clocks_mhz[name])
        for name, found in steps.items()
        if len(found) > 1 and name in clocks_mhz
    )


def clock_board(name: str, steps_mhz: Sequence[float | str], now: float | str) -> Board:
    """Return the line of the board for one clock."""
    places = tuple(Place(str(step), step if isinstance(step, str) else f"{step:g} MHz") for step in steps_mhz)
    title = f"Clock of {unit_title(name)}"
    short = now if isinstance(now, str) else f"{now:.0f}"
    return Board(title, "line", places, (Piece(f"{CLOCK}.{name}", title, short, str(now)),))


def moved_clock(piece: str, place: str) -> dict[str, Any] | None:
    """Return the entry of a decision for the clock that an edit sets; None for a piece that is no clock."""
    kind, _, name = piece.partition(".")
    return {name: place if place == OFF else float(place)} if kind == CLOCK else None
