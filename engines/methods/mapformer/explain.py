"""The explanation of one mapping: units over a second, segments, networks, clocks, power, and how it goes frame by frame."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, Lane, Note, Result, ScheduleWindow, Table, TableColumn
from engines.contract.schedules import Bar, schedule_of
from engines.methods.mapformer.problem.instance import MixInstance
from engines.simulation.board import Mappings
from engines.simulation.frames import frame_by_frame
from engines.simulation.steady_state import Steady, steady_state
from hardware.soc.summary import unit_title


def explain_mapping(instance: MixInstance, mapping: Mappings) -> tuple[Result, ...]:
    """Return all results of one mapping."""
    steady = steady_state(instance.board, mapping)
    parts = _Parts(instance, mapping, steady)
    return (
        *_broken(instance, steady),
        parts.lanes(),
        _networks(instance, steady),
        parts.segments(),
        _clocks(instance, mapping, steady),
        _power(instance, mapping, steady),
        _judged(instance, mapping, steady),
    )


class _Parts:
    """Segments with what they take of a second."""

    def __init__(self, instance: MixInstance, mapping: Mappings, steady: Steady) -> None:
        self._instance, self._steady, board = instance, steady, instance.board
        self.rows: list[tuple[int, int, int, int, float]] = []  # network, first layer, end, unit, seconds of a frame
        for number in range(len(board.networks)):
            before = -1
            ends, units = mapping.ends[0, number].tolist(), mapping.units[0, number].tolist()
            for (start, end), unit in zip(pairwise([0, *ends]), units, strict=True):
                if end <= start:
                    continue
                row = int(board.first_row[unit] + mapping.steps[0, unit])
                seconds = float(board.time_s[number, row, end] - board.time_s[number, row, start])
                if before not in (-1, unit):
                    seconds += float(board.hand_over_s[number, start])
                self.rows.append((number, start, end, unit, seconds))
                before = unit

    def lanes(self) -> Result:
        """Return every unit over a second, its segments one after the other for as long as they keep it busy."""
        instance, steady = self._instance, self._steady
        free, bars = [0.0] * len(instance.board.units), []
        for number, start, end, unit, seconds in self.rows:
            busy = seconds * float(steady.throughput_per_s[0, number])
            label = f"{instance.names[number]}, layers {start + 1} to {end}"
            bars.append(Bar(unit, free[unit], free[unit] + busy, label, model=number))
            free[unit] += busy
        lanes = [
            Lane(unit.name, unit_title(unit.name), _kind(instance, unit.name), float(load))
            for unit, load in zip(instance.board.units, steady.load[0], strict=False)
        ]
        end_s = max(1.0, *free)
        return schedule_of(
            bars, lanes, [ScheduleWindow("One second in steady state", 0.0, end_s)], instance.names,
            title="Load of the units",
            bar_words="one bar is the share of a second that a segment keeps its unit busy, for all its frames",
        )  # fmt: skip

    def segments(self) -> Table:
        """Return the segments of a network: layers and compute unit."""
        names, rate = self._instance.names, self._steady.throughput_per_s[0]
        units = [unit_title(unit.name) for unit in self._instance.board.units]
        return Table(
            name="segments",
            title="Segments",
            table_columns=(
                TableColumn("Network", tuple(names[row[0]] for row in self.rows)),
                TableColumn("First layer", np.array([row[1] + 1.0 for row in self.rows])),
                TableColumn("Last layer", np.array([float(row[2]) for row in self.rows])),
                TableColumn("Unit", tuple(units[row[3]] for row in self.rows)),
                TableColumn("Time of a frame", np.array([row[4] for row in self.rows]), "s"),
                TableColumn("Keeps the unit busy", np.array([row[4] * rate[row[0]] for row in self.rows]), SHARE),
            ),
        )


def _broken(instance: MixInstance, steady: Steady) -> tuple[Note, ...]:
    power, fairness = float(steady.power_w[0]), instance.fairness
    smallest, texts = float(fairness.smallest(steady)[0]), []
    if power > instance.power_limit_w:
        texts.append(f"This mapping violates the power limit: {power:.4g} W, at most {instance.power_limit_w:g} W.")
    if smallest < fairness.least:
        words = f"{100 * smallest:.3g} % for the network with the smallest share, at least {100 * fairness.least:g} %"
        texts.append(f"This mapping violates the fairness limit: {words}.")
    return (Note("limits", "Violates limits", " ".join(texts), "warning"),) if texts else ()


def _networks(instance: MixInstance, steady: Steady) -> Table:
    """Return the rate and the share of every network; what a share of one is depends on whether its rate is stated."""
    fairness, states_rate = instance.fairness, np.isfinite(instance.board.most_per_s)
    full = {
        "Rate of the scenario": np.where(states_rate, fairness.full_per_s, np.nan),
        "Rate alone on the board": np.where(states_rate, np.nan, fairness.full_per_s),
    }
    return Table(
        name="networks",
        title="Networks",
        table_columns=(
            TableColumn("Network", instance.names),
            TableColumn("Throughput", steady.throughput_per_s[0], "1/s"),
            *(TableColumn(title, rates, "1/s") for title, rates in full.items() if np.isfinite(rates).any()),
            TableColumn("Share", fairness.shares(steady)[0], SHARE),
        ),
    )


def _clocks(instance: MixInstance, mapping: Mappings, steady: Steady) -> Table:
    """Return each clock on its ladder; 0 is off."""
    units, steps = instance.board.units, mapping.steps[0].tolist()
    hz = [unit.clocks_hz[step - 1] if step else 0.0 for unit, step in zip(units, steps, strict=True)]
    return Table(
        name="clocks",
        title="Clocks on their ladders",
        table_columns=(
            TableColumn("Unit", tuple(unit_title(unit.name) for unit in units)),
            TableColumn("Clock", np.array(hz), "Hz"),
            TableColumn("Step", np.array(steps, dtype=np.float64)),
            TableColumn("Steps", instance.board.step_counts.astype(np.float64)),
            TableColumn("Share of the highest", np.array(hz) / [unit.clocks_hz[-1] for unit in units], SHARE),
            TableColumn("Busy", steady.load[0, :-1], SHARE),
        ),
    )  # fmt: skip


def _power(instance: MixInstance, mapping: Mappings, steady: Steady) -> Breakdown:
    board = instance.board
    rows = board.rows_of(mapping.steps)[0]
    values: FloatArray = np.column_stack(
        [
            np.append(board.idle_w[rows], board.memory_idle_w),
            np.append(board.dynamic_w[rows], board.memory_dynamic_w) * steady.load[0],
        ]
    )
    bars = (*(unit_title(unit.name) for unit in board.units), "Memory")
    return Breakdown("power", "Power by unit", bars, ("idle", "load"), values, "W")


def _judged(instance: MixInstance, mapping: Mappings, steady: Steady) -> Note:
    """Return the same mapping frame by frame."""
    rate = frame_by_frame(instance.board, mapping, _FRAMES)
    off = 100 * (float(rate.mean()) / float(steady.mean_per_s[0]) - 1)
    worst = 100 * float(np.abs(rate / steady.throughput_per_s[0] - 1).max())
    text = f"Frame by frame, at least {_FRAMES} of every network unless that takes too long, the mean throughput is "
    text += (
        f"{rate.mean():.4g} inferences per second, {off:+.2g} % from the value in steady state; the network "
        "with the largest error "
    )
    text += f"is {worst:.2g} % off."
    return Note("frames", "Frame by frame", text)


def _kind(instance: MixInstance, name: str) -> str:
    """Return the kind that selects tint and pattern of a unit; a DLA has its own although its kind is "npu"."""
    unit = name if name in instance.soc.units else name.rpartition("-")[0]
    return unit if unit == "dla" else instance.soc.units[unit].kind


_FRAMES = 30
