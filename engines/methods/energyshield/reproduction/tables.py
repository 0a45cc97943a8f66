"""Figures 6.6 and 6.8 to 6.10, and what the results next to the code print."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from pathlib import Path

import numpy as np

from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.reproduction.driving import Experiment
from engines.methods.energyshield.vehicle import steering_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import OutcomeReader
from engines.reproduction.rows import Publication

PAPER = Publication(Path(__file__).parent, "odema-2024")
CODE = Publication(Path(__file__).parent, "energyshield-code")
_ROAD = (
    "Another controller on another road. The path follower here does not see obstacles and drives straight at them. "
    "The publication's controller is trained in CARLA to avoid them."
)
_SHIELD = "The computed rule keeps 2 m of margin with the state predicted one window ahead, which eq. 6.12 does not."
_POLICIES = ("eager", "uniform")


def constants() -> Iterator[Comparison]:
    """Yield what the code computes before anything is driven."""
    rows = CODE.rows("Constants of the code", kind="arithmetic")
    for place, sigma in enumerate((0.28, 0.48)):
        ours = float(Barrier(sigma, 4.0, 1.6, 1.0, 12.0).gain)
        yield rows(f"K of sigma {sigma}", f"K[{place}]", ours)
        wheel = np.array(CODE.value(f"wheel_max[{place}]"), np.float64)
        yield rows(f"Largest beta of sigma {sigma}", f"beta_max[{place}]", float(steering_of(wheel)))
    yield rows("Size of a frame", "payload", 160 * 80 * 3 * 8 / 2**20)
    yield rows("Energy of a window on the device", "local_energy", 1e3 * 7 * 16.211e-3)


def figure_6_6(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the energy saved, and completed tracks."""
    rows = PAPER.rows("Figure 6.6: energy and completed tracks", why=f"{_ROAD} {_SHIELD}")
    for shielded in (False, True):
        for policy in _POLICIES:
            key = f"fig6.6.S{int(shielded)}N0.energy_reduction_{policy}"
            ours = look(Experiment(shielded, False, policy))
            words = "with the shield" if shielded else "without the shield"
            yield rows(f"Energy saved {words}, {policy}", key, ours.saved)
    best = max(look(Experiment(True, noisy, policy)).saved for noisy in (False, True) for policy in _POLICIES)
    yield rows("Most energy saved", "max_nn_energy_reduction", best, kind="repeated")
    completed = min(look(Experiment(True, noisy, "eager")).completed for noisy in (False, True))
    yield rows("Tracks completed with the shield", "fig6.6.TCR_S1", completed, baseline=100)
    large = look(Experiment(True, False, "uniform")).large_windows
    why = "One period in ten reaches this value. The publication says “about”, of the values that come up more often."
    yield rows("Large values of Delta_max", "delta_max_common_large_values", large, why=why)
    yield rows(
        "Large values of Delta_max in time", "delta_max_common_large_values_ms", 20 * large, why=why, kind="repeated"
    )


def mean_energies(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the mean energy of a window, as a distance from that on the device.

    Without noise Figure 6.6 prints the same as a saving.
    """
    local_mj = CODE.value("local_energy")
    rows = CODE.rows("Mean energy of a window", why=f"{_ROAD} {_SHIELD}")
    for shielded in (False, True):
        for noisy in (False, True):
            for place, policy in enumerate(_POLICIES):
                name = f"S = {int(shielded)}, N = {int(noisy)}, {policy}"
                ours = look(Experiment(shielded, noisy, policy)).energy_mj
                yield rows(
                    name, f"mean_energy.S{int(shielded)}N{int(noisy)}[{place}]", ours, baseline=local_mj,
                    kind="predicted" if noisy else "repeated",
                )  # fmt: skip


def figure_6_8(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the energy saved by distance to the nearest obstacle."""
    rows = PAPER.rows("Figure 6.8: energy saved by distance", why=_ROAD)
    near = look(Experiment(False, False, "uniform")).saved_near
    printed = PAPER.derived(nan, "%", "fig6.8.close_range_no_gain")
    yield rows(
        "Energy saved at 2 to 4 m, uniform, without the shield",
        printed,
        near,
        why="The publication says “almost the same”.",
    )
    for policy in _POLICIES:
        driven = look(Experiment(True, True, policy))
        yield rows(f"Energy saved at 13 m, {policy}", f"fig6.8.S1N1_r13.{policy}", driven.saved_at_13)
        yield rows(f"Energy saved beyond 20 m, {policy}", f"fig6.8.r_gt_20.{policy}", driven.saved_far)


def figures_6_9_and_6_10(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the extra windows of sending and energy, medians of episodes, by channel and queue."""
    why = f"{_ROAD} Whether shield and noise are on is not published; the computed one drives with the shield and without noise."
    rows = PAPER.rows("Figures 6.9 and 6.10: channel and queue, uniform", why=why)
    wide = look(Experiment(True, False, "uniform", 20.0, 1.0))
    slow = look(Experiment(True, False, "uniform", 10.0, 50.0))
    yield rows("Extra windows at 20 Mbit/s", "fig6.9.extra_transit_sigma20", wide.median_extra)
    yield rows("Extra windows with a queue of 50 ms", "fig6.9.extra_transit_q50", slow.median_extra)
    yield rows("Energy at 20 Mbit/s", "fig6.10.norm_energy_sigma20", wide.median_energy, baseline=100)
    yield rows("Energy with a queue of 50 ms", "fig6.10.norm_energy_q50", slow.median_energy, baseline=100)
