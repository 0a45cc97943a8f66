"""How good a run's windows are for certain: values, lower bounds, gaps and what is proven."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.bounds import relaxed_window_bound
from engines.chiplets.windows.greedy import Trajectory
from engines.chiplets.windows.options import WindowProof
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import LayerRange
from engines.contract.integer_format import counted
from engines.contract.results import Note, Result, Table, TableColumn

_ROUNDING_PERCENT = 1e-6


def window_proofs(
    tables: ScenarioTables, windows: Sequence[Sequence[LayerRange]], trajectory: Trajectory, goal: Goal
) -> tuple[WindowProof, ...]:
    """Return the proof of every window, starting where the schedule before it ends; bounds alone where the search gave none."""
    location = [MEMORY] * len(tables.models)
    proofs = []
    for ranges, options in zip(windows, trajectory.windows, strict=True):
        proof = options.proof
        if proof is None:
            sources = [(location[r.model],) for r in ranges]
            nodes = provisioned_nodes(tables, ranges, goal)
            proof = WindowProof(relaxed_window_bound(tables, ranges, sources, nodes, goal), proven=False, states=0)
        proofs.append(proof)
        for placement in options.best.window:
            location[placement.model] = placement.path[-1]
    return tuple(proofs)


def gap_percent(value: float, lower_bound: float) -> float:
    """Return by how much `value` is above its bound, in percent of the bound; rounding below zero is none."""
    if lower_bound <= 0:
        return float("inf")
    gap = (value / lower_bound - 1.0) * 100.0
    return 0.0 if abs(gap) < _ROUNDING_PERCENT else gap


def proof_results(trajectory: Trajectory, proofs: Sequence[WindowProof], goal: Goal) -> tuple[Result, ...]:
    """Return the table of windows of the first schedule of a run, and in words what is proven."""
    values = [goal.one(o.best.latency_s, o.best.energy_j) for o in trajectory.windows]
    bounds = [proof.lower_bound for proof in proofs]
    count = len(values)
    table = Table(
        name="window-proofs",
        title="Windows of the first schedule: objective and lower bound",
        table_columns=(
            TableColumn("Window", tuple(f"Window {w + 1}" for w in range(count))),
            TableColumn("Objective", np.array(values), goal.unit),
            TableColumn("Lower bound", np.array(bounds), goal.unit),
            TableColumn("Gap", np.array([gap_percent(v, b) for v, b in zip(values, bounds, strict=True)]), "%"),
            TableColumn("Proven optimal", tuple("yes" if proof.proven else "no" for proof in proofs)),
            TableColumn("States expanded", np.array([float(p.states) if p.states else np.nan for p in proofs])),
        ),
    )
    proven = sum(proof.proven for proof in proofs)
    states = sum(proof.states for proof in proofs)
    text = f"{proven} of {count} windows of the first schedule are proven optimal for the stated model"
    text += f" ({counted(states)} states expanded)." if states else "."
    if proven:
        text += " Each window starts where the one before ended."
    return table, Note("proof", "Proof", text, role="proof")
