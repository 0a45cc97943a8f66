"""Costs of parts by boosted trees that were trained on random layers, next to the cost model that priced those.

The publication trains XGBoost on layers that were measured (odema-2024 section 2.4.4, without settings). Here the cost model takes
the place of the measurements, and scikit-learn's histogram-based boosting that of XGBoost: 300 trees of depth 6, learning rate 0.1,
on the logarithm of latency and energy, apart for each unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import SHARE
from engines.contract.results import Table, TableColumn
from engines.cost.soc.clocks import MEMORY, ClockSettings
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import OperationTable
from engines.methods.map_and_conquer.model.cut_costs import CutCosts
from engines.methods.map_and_conquer.model.cut_layers import CutNetwork
from engines.methods.map_and_conquer.model.random_layers import random_layers
from engines.workloads.network import COMPUTE_KINDS
from hardware.soc.summary import unit_title

TREES, DEPTH, LEARNING_RATE = 300, 6, 0.1
TRAINED_ON, HELD_OUT = 4000, 1000
_TINY = 1e-15


@dataclass(frozen=True)
class BoostedCosts:
    """Trained trees of every unit.

    Attributes:
        trees: (unit, "latency" or "energy") -> what predicts the logarithm.
        errors: the same -> mean error as a share, and rank correlation, both on layers that were held out.
    """

    trees: Mapping[tuple[str, str], Any]
    errors: Mapping[tuple[str, str], tuple[float, float]]

    def applied(self, costs: CutCosts, network: CutNetwork, model: SocCostModel, settings: ClockSettings) -> CutCosts:
        """Return the same tables with latency and energy as the trees say, wherever they have a number."""
        latency, energy = costs.latency_s.copy(), costs.energy_j.copy()
        known = np.argwhere(np.isfinite(costs.latency_s[0, 0, 0]))
        parts = np.stack([_work(network.scaled(w / costs.steps, r / costs.steps), network.starts) for w, r in known])
        for place, unit in enumerate(costs.units):
            if (unit, "latency") not in self.trees:
                continue
            clocks, which = _clocks(model, settings, unit)
            rows = np.concatenate(
                [
                    np.broadcast_to(parts[:, :, None], (*parts.shape[:2], len(clocks), parts.shape[2])),
                    np.broadcast_to(clocks, (*parts.shape[:2], *clocks.shape)),
                ],
                axis=3,
            )
            for name, table in (("latency", latency), ("energy", energy)):
                found = np.exp(self.trees[unit, name].predict(rows.reshape(-1, rows.shape[3])))
                for (written, read), part in zip(known, found.reshape(rows.shape[:3]), strict=True):
                    table[:, place, :, written, read] = part[:, which]
        return replace(costs, latency_s=latency, energy_j=energy)

    def table(self, by_trees: CutCosts, by_model: CutCosts) -> Table:
        """Return the error of the trees: on held-out random layers, and on the parts of a network at the same clocks."""
        keys = list(self.errors)
        own = [_own_error(by_trees, by_model, unit, name) for unit, name in keys]
        return Table(
            name="trees",
            title="Boosted trees compared with the cost model",
            table_columns=(
                TableColumn("Processing unit", tuple(unit_title(unit) for unit, _ in keys)),
                TableColumn("Of", tuple(name for _, name in keys)),
                TableColumn("Mean error, random layers", np.array([self.errors[key][0] for key in keys]), SHARE),
                TableColumn("Rank correlation there", np.array([self.errors[key][1] for key in keys])),
                TableColumn("Mean error, parts of this network", np.array(own), SHARE),
            ),
        )


def _own_error(by_trees: CutCosts, by_model: CutCosts, unit: str, name: str) -> float:
    place, table = by_trees.units.index(unit), "latency_s" if name == "latency" else "energy_j"
    found, told = (getattr(costs, table)[:, place] for costs in (by_trees, by_model))
    known = np.isfinite(told)
    return float(np.abs(found[known] / told[known] - 1).mean())


def trained(
    model: SocCostModel,
    units: tuple[str, ...],
    network: CutNetwork,
    settings: ClockSettings,
    *,
    trees: int = TREES,
    layers: int = TRAINED_ON + HELD_OUT,
) -> BoostedCosts:
    """Return the trees trained on random layers, each at one of the settings, of kinds that the network has.

    Args:
        model: prices the layers.
        units: for which units.
        network: whose kinds of operations the layers have.
        settings: clock settings.
        trees: trees of each quantity on each unit.
        layers: layers, of which a fifth is held out.
    """
    from scipy.stats import spearmanr  # both cost a second
    from sklearn.ensemble import HistGradientBoostingRegressor

    random = np.random.default_rng(0)
    table, starts = random_layers(network.operations, network.starts, layers, random)
    at = random.integers(len(settings), size=layers)
    chosen = np.arange(layers)
    held = chosen >= layers - layers // 5
    found, errors = {}, {}
    for unit in units:
        costs = model.costs(table, settings, units=[unit], groups=starts, partial=True)
        clocks, which = _clocks(model, settings, unit)
        rows = np.column_stack([_work(table, starts), clocks[which[at]]])
        for name, values in (("latency", costs.latency_s), ("energy", costs.energy_j)):
            target = np.log(np.maximum(values[chosen, 0, at], _TINY))
            tree = HistGradientBoostingRegressor(
                max_iter=trees, max_depth=DEPTH, learning_rate=LEARNING_RATE, early_stopping=False, random_state=0
            ).fit(rows[~held], target[~held])
            off = tree.predict(rows[held]) - target[held]
            correlation = float(spearmanr(off + target[held], target[held]).statistic)
            found[unit, name] = tree
            errors[unit, name] = float(np.abs(np.expm1(off)).mean()), correlation
    return BoostedCosts(found, errors)


def _work(table: OperationTable, starts: tuple[int, ...]) -> FloatArray:
    """Return the tree inputs of layers: logarithms of products by kind, elements moved, weights, launches, shape `n x features`."""
    runs, at = table.runs.astype(np.float64), np.asarray(starts)
    dense = np.isin(table.kinds, ("conv", "gemm", "transposed_conv"))
    product = np.isin(table.kinds, COMPUTE_KINDS)
    columns = (
        table.macs * dense, table.macs * (product & ~dense), table.activation_elements * product,
        table.activation_elements * ~product, table.weight_elements * product, table.launches * product, table.launches * ~product,
    )  # fmt: skip
    return np.asarray(np.log1p(np.column_stack([np.add.reduceat(column * runs, at) for column in columns])))


def _clocks(model: SocCostModel, settings: ClockSettings, unit: str) -> tuple[FloatArray, IntArray]:
    """Return the different clocks that a unit's costs depend on, in GHz, shape `d x 3`, and which each setting has."""
    hz = settings.frequencies_hz
    columns = np.column_stack([hz[unit], hz.get(model.launcher, hz[MEMORY]), hz[MEMORY]])
    distinct, which = np.unique(columns, axis=0, return_inverse=True)
    return distinct / 1e9, which.ravel()
