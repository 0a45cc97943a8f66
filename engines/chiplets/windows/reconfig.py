"""MCM-Reconfig: expected costs (eq 4.1) and which layers go to which time window (Algorithm 1), odema-2024 section 4.4.1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.problem.tables import ModelTables, ScenarioTables
from engines.contract.arrays import FloatArray
from engines.contract.numeric.ordered_sums import product_in_order


@dataclass(frozen=True)
class LayerRange:
    """The layers of one model in one window: `first` to `end` - 1."""

    model: int
    first: int
    end: int


Windows = tuple[tuple[LayerRange, ...], ...]


@dataclass(frozen=True)
class Cut:
    """The windows that a number of boundaries makes."""

    n_splits: int
    windows: Windows


def expected_layer_latency_s(tables: ScenarioTables, model: ModelTables) -> FloatArray:
    """Return e(Lat(l)) = sum_i n_df_i / |C| Lat(l -> i) of the whole batch (eq 4.1), shape `layers`."""
    return np.diff(product_in_order(tables.class_share, model.compute_s)) * model.batch


def expected_layer_energy_j(tables: ScenarioTables, model: ModelTables) -> FloatArray:
    """Return the same for energy, in joules, shape `layers`."""
    return np.diff(product_in_order(tables.class_share, model.compute_j)) * model.batch


def expected_layer_edp_js(tables: ScenarioTables, model: ModelTables) -> FloatArray:
    """Return the same for the product of a layer's energy and latency on each class of chiplet, in J s, shape `layers`."""
    per_kind = np.diff(model.compute_s, axis=1) * np.diff(model.compute_j, axis=1)
    return product_in_order(tables.class_share, per_kind) * float(model.batch) ** 2


def window_boundaries_s(horizon_s: float, n_splits: int) -> FloatArray:
    """Return `n_splits` equally spaced boundaries inside (0, horizon), in seconds, shape `n_splits`; the last window is open."""
    return horizon_s * np.arange(1, n_splits + 1) / (n_splits + 1)


def pack_layers(latency_s: Sequence[float], boundaries_s: Sequence[float]) -> list[list[int]]:
    """Run Algorithm 1 for one model: first-fit greedy packing of its layers into windows.

    A layer goes to the current window if it ends before the window's boundary, and is deferred to the next one otherwise;
    the last window has no boundary. The printed `rho` is read as the boundaries T (line 18 uses T in its place) and the
    printed `Break` as leaving the inner loop.

    Args:
        latency_s: expected latency of each layer.
        boundaries_s: ends of all windows but the last, ascending.

    Returns:
        Layer numbers per window, `len(boundaries_s) + 1` lists, empty ones included.
    """
    windows: list[list[int]] = [[] for _ in range(len(boundaries_s) + 1)]
    window, used_s = 0, 0.0
    for layer, layer_s in enumerate(latency_s):
        while window < len(boundaries_s) and layer_s > boundaries_s[window] - used_s:
            used_s = float(boundaries_s[window])
            window += 1
        windows[window].append(layer)
        used_s += layer_s
    return windows


def spread_layers(layers: int, windows: int) -> list[list[int]]:
    """Return the uniform packing (odema-2024 section 4.5.4): layer numbers per window, as equal in number as can be."""
    return [part.tolist() for part in np.array_split(np.arange(layers), windows)]


def assign_windows(tables: ScenarioTables, n_splits: int) -> Windows:
    """Return the layers of every model per window (theorem 4.2: a partition); windows without layers are left out.

    The horizon is the worst expected latency of a model.
    """
    latencies = [expected_layer_latency_s(tables, model) for model in tables.models]
    boundaries = window_boundaries_s(max(float(latency.sum()) for latency in latencies), n_splits)
    if tables.params.packing == "uniform":
        packed = [spread_layers(model.layers, n_splits + 1) for model in tables.models]
    else:
        packed = [pack_layers(latency.tolist(), boundaries.tolist()) for latency in latencies]
    windows = []
    for w in range(n_splits + 1):
        ranges = tuple(LayerRange(m, rows[w][0], rows[w][-1] + 1) for m, rows in enumerate(packed) if rows[w])
        if ranges:
            windows.append(ranges)
    return tuple(windows)


def candidate_cuts(tables: ScenarioTables) -> tuple[Cut, ...]:
    """Return the numbers of boundaries to try; of several that make the same windows the least."""
    params = tables.params
    least = params.n_splits if params.n_splits_search == "fixed" else params.n_splits_least
    found: dict[Windows, Cut] = {}
    for n_splits in range(least, params.n_splits + 1):
        windows = assign_windows(tables, n_splits)
        found.setdefault(windows, Cut(n_splits, windows))
    return tuple(found.values())
