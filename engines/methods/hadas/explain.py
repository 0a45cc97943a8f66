"""Explanation of a network with exits: the graph with its exits, the inputs that leave at each, their costs, and the clocks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, LayerGraph, LayerNode, Result, Table, TableColumn
from engines.mapping.explain.clocks import clock_title
from engines.methods.hadas.scoring import ExitDesign
from engines.methods.hadas.setup import Setup
from engines.search.ends.correctness import dissimilarity
from hardware.soc.summary import unit_title

_OWN_END = "Own end"


def explain_design(setup: Setup, design: ExitDesign) -> tuple[Result, ...]:
    """Return grid, tables, breakdowns and notes that explain one design."""
    parts = _Parts(design)
    return (
        parts.graph(unit_title(setup.unit)),
        parts.table(),
        parts.leaving(),
        parts.energy(),
        *clocks_on_ladders(setup, design),
    )


class _Parts:
    """A design's ends, those not chosen left out: `m` of them, the network's own the last."""

    def __init__(self, design: ExitDesign) -> None:
        backbone, chosen = design.backbone, design.chosen
        self._design, self._rows = design, np.flatnonzero(chosen)
        latency, energy = backbone.costs(design.prices)
        setting = np.array([design.setting])
        self._leaving = design.leaving[self._rows]
        self._latency = latency.prefixes(chosen, setting)[0][self._rows]
        self._energy = energy.prefixes(chosen, setting)[0][self._rows]
        self._heads_j = np.cumsum(np.where(chosen, energy.heads[:, design.setting], 0.0))[self._rows]
        self._unlike = dissimilarity(backbone.correctness.accuracy, chosen)[0][self._rows]
        self._titles = tuple(
            _OWN_END if row == backbone.ends - 1 else f"After {backbone.positions.blocks[row]}"
            for row in self._rows.tolist()
        )

    def graph(self, unit: str) -> LayerGraph:
        """Return blocks between candidate exits as a chain, exits next to it."""
        positions = self._design.backbone.positions
        (latency, energy), at = self._design.backbone.costs(self._design.prices), self._design.setting
        names = (f"To {positions.blocks[0]}", *positions.blocks[1:], "Rest")
        nodes = []
        for row, name in enumerate(names):
            cost = float(latency.parts[row, at]), float(energy.parts[row, at])
            nodes.append(LayerNode(f"part{row}", name, unit, (("Latency", cost[0], "s"), ("Energy", cost[1], "J"))))
        edges = [(f"part{before}", f"part{after}") for before, after in pairwise(range(len(names)))]
        for place, row in enumerate(self._rows.tolist()):
            figures = (
                ("Leave here", float(self._leaving[place]), SHARE),
                ("Mean energy of those", float(self._energy[place]), "J"),
            )
            title = "Own end" if row == len(names) - 1 else f"Exit {place + 1}"
            nodes.append(LayerNode(f"exit{row}", title, "Exits", figures))
            edges.append((f"part{row}", f"exit{row}"))
        return LayerGraph("network", "Network with its exits", tuple(nodes), tuple(edges))

    def table(self) -> Table:
        """Return one row per end."""
        accuracy = self._design.backbone.correctness.accuracy[self._rows]
        work = self._design.backbone.work[self._rows]
        return Table(
            "ends",
            "Ends of the network",
            (
                TableColumn("End", self._titles),
                TableColumn("Share of the work", work, SHARE),
                TableColumn("Right by itself", accuracy, SHARE),
                TableColumn("Inputs that leave", self._leaving, SHARE),
                TableColumn("Dissimilarity", self._unlike),
                TableColumn("Latency of an input", self._latency, "s"),
                TableColumn("Energy of an input", self._energy, "J"),
            ),
        )

    def leaving(self) -> Breakdown:
        """Return the share of the inputs that leaves at each end."""
        return Breakdown("leaving", "Where inputs leave", ("Inputs",), self._titles, self._leaving[None], SHARE)

    def energy(self) -> Breakdown:
        """Return the contribution of each end to the mean energy in J; the contributions add up to that of the design."""
        heads = self._leaving * self._heads_j
        trunk = self._leaving * self._energy - heads
        values = np.column_stack([trunk, heads])
        return Breakdown("energy", "Mean energy by end", self._titles, ("Network", "Exits passed"), values, "J")


def clocks_on_ladders(setup: Setup, design: ExitDesign) -> tuple[Breakdown, Table]:
    """Return each clock as a share of its ladder's highest step, and which step it is."""
    soc = setup.covered.soc
    clocks = design.prices.settings.at(design.setting)
    names, hertz = tuple(clocks), np.array(list(clocks.values()))
    ladders = [
        np.array(soc.units[name].frequencies_hz if name in soc.units else _memory_steps(setup)) for name in names
    ]
    steps = [1 + int(np.searchsorted(ladder, hz)) for ladder, hz in zip(ladders, hertz, strict=True)]
    titles = tuple(clock_title(name) for name in names)
    bars = tuple(
        f"{title}, step {step} of {len(ladder)}" for title, step, ladder in zip(titles, steps, ladders, strict=True)
    )
    shares = hertz / np.array([ladder.max() for ladder in ladders])
    picture = Breakdown("ladders", "Clocks, of the highest step", bars, ("Set",), shares[:, None], SHARE)
    columns = (
        TableColumn("Clock", titles),
        TableColumn("Frequency", hertz, "Hz"),
        TableColumn("Step", np.array(steps, dtype=np.float64)),
        TableColumn("Steps", np.array([float(len(ladder)) for ladder in ladders])),
    )
    return picture, Table("clocks", "Clocks", columns)


def _memory_steps(setup: Setup) -> tuple[float, ...]:
    memory = setup.covered.soc.memory
    return memory.frequencies_hz if memory is not None else ()
