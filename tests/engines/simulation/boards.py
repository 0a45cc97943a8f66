"""Small boards for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.simulation.board import Board, BoardNetwork, BoardUnit, Mappings


def unit(name: str, clocks_hz: Sequence[float] = (1e9,), idle_w: float = 1.0, dynamic_w: float = 10.0) -> BoardUnit:
    """Power in proportion to the clock."""
    share = np.array(clocks_hz) / clocks_hz[-1]
    return BoardUnit(name, tuple(clocks_hz), idle_w, dynamic_w * share)


def network(
    name: str, seconds: Sequence[Sequence[float]], clocks: int = 1, moved_bytes: float = 0.0, cut_bytes: float = 0.0,
    most_per_s: float = np.inf, weight: float = 1.0,
) -> BoardNetwork:  # fmt: skip
    """Seconds of every layer (rows) on every unit (columns) at the highest clock; at step k of K they are K / k times as long."""
    table = np.array(seconds, dtype=np.float64)
    slower = clocks / np.arange(1, clocks + 1)
    layers = np.full(len(table), moved_bytes / len(table) + 1e-9)
    latency = tuple(column[:, None] * slower for column in table.T)
    return BoardNetwork(name, latency, layers, np.full(len(table), cut_bytes), most_per_s, weight)


def board(units: Sequence[BoardUnit], *networks: BoardNetwork, cut_s: float = 0.0, bytes_per_s: float = 1e9) -> Board:
    """Memory that idles at 0.5 W and draws 2 W more at full load."""
    return Board(tuple(units), networks, bytes_per_s, 0.5, 2.0, cut_s)


def mapping(ends: Sequence[Sequence[int]], units: Sequence[Sequence[int]], steps: Sequence[int]) -> Mappings:
    """One mapping."""
    return Mappings(np.array([ends]), np.array([units]), np.array([steps]))


def drawn_board(random: np.random.Generator, networks: int, units: int, layers: int, clocks: int) -> Board:
    """Layers of any length; the last unit cannot run some of them."""
    found = []
    for number in range(networks):
        seconds = random.lognormal(-6.0, 1.0, (layers, 1)) * random.uniform(0.3, 3.0, units)
        if units > 1:
            seconds[random.random(layers) < 0.1, -1] = np.inf
        size = {"moved_bytes": random.uniform(1e5, 3e6), "cut_bytes": random.uniform(1e3, 1e5)}
        found.append(network(f"n{number}", seconds.tolist(), clocks, **size))
    hz = [1e9 * (step + 1) / clocks for step in range(clocks)]
    return board([unit(f"u{each}", hz) for each in range(units)], *found, cut_s=1e-4)
