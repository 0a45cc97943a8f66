"""The published experiments, driven here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from engines.contract.arrays import FloatArray
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.energyshield.episodes import POLICIES, Choice, Drive
from engines.methods.energyshield.instance import instance_of
from engines.methods.energyshield.rules import RULES
from engines.reproduction.frame import Case
from engines.running.context import LocalContext

EPISODES, SEED = 100, 1
_BINS = 200  # of 1 m


@dataclass(frozen=True)
class Driven:
    """Over the episodes of a configuration, in per cent and mJ.

    Attributes:
        saved: mean energy below that of the device.
        median_energy: of episodes, as a share of the device's.
        median_extra: of episodes, windows of sending beyond the first of a frame.
        completed: episodes without touching rbar of an obstacle.
        energy_mj: energy in mJ of a window.
        saved_near, saved_at_13, saved_far: at 2 to 4 m, at 13 to 14 m, beyond 20 m from the nearest obstacle.
        large_windows: windows of safety that one period in ten reaches, less the device's own.
    """

    saved: float
    median_energy: float
    median_extra: float
    completed: float
    energy_mj: float
    saved_near: float
    saved_at_13: float
    saved_far: float
    large_windows: float


@dataclass(frozen=True)
class Experiment(Case[Driven]):
    """One configuration: S, N, policy, channel and queue."""

    shielded: bool
    noisy: bool
    policy: str
    scale_mbps: float = 20.0
    queue_ms: float | None = None

    def run(self) -> Driven:
        """Drive all episodes."""
        params = {
            "margins_m": "2", "policies": self.policy, "most_windows": "100", "noise_m": 1.5 if self.noisy else 0.0,
            "bandwidth_mbps": self.scale_mbps, "episodes": EPISODES,
            **({"round_trip_ms": 0.0} if self.queue_ms is None else {"loads": "0", "round_trip_ms": self.queue_ms}),
        }  # fmt: skip
        problem = make_problem("energyshield", {"radio": get_builtin("hardware", "wifi-smartphone")}, params, SEED)
        instance = instance_of(problem)
        world = replace(instance.world, shielded=self.shielded)
        design = Choice(0.28, 4.0, 2.0, POLICIES.index(self.policy), 100, rule=RULES.index("predicted"))
        drive = Drive(world, instance.conditions(LocalContext(problem)), [design])
        local = world.local_j[0]
        seen = _Seen(local)
        totals = drive.run(seen.see)
        share = totals.energy_j / totals.windows / local
        near, at_13, far = [seen.saved(low, high) for low, high in ((2, 4), (13, 14), (20, _BINS))]
        return Driven(
            100 * (1 - float(totals.energy_j.sum() / totals.windows.sum()) / local), 100 * float(np.median(share)),
            100 * float(np.median(totals.extra_windows / totals.windows)),
            100 * float((totals.least_clearance_m >= 0).mean()), 1e3 * float(totals.energy_j.sum() / totals.windows.sum()),
            near, at_13, far, float(np.quantile(np.concatenate(seen.held), 0.9)) - 1,
        )  # fmt: skip

    def blank(self) -> Driven:
        """Return NaN for every value, for a reproduction that was not computed."""
        return Driven(*[nan] * 9)


class _Seen:
    """Energy saved and windows by distance, and how long steering may be held; `local_j` is the device's own energy."""

    def __init__(self, local_j: float) -> None:
        self._local_j = local_j
        self._saved_j: FloatArray = np.zeros(_BINS)
        self._windows: FloatArray = np.zeros(_BINS)
        self.held: list[FloatArray] = []

    def see(self, _window: int, drive: Drive) -> None:
        """Take in a window."""
        metres = np.clip(drive.r_m.min(axis=1).astype(np.int64), 0, _BINS - 1)[drive.active]
        # Differences are summed, not energies: where nothing is ever sent, nothing is left of rounding.
        self._saved_j += np.bincount(metres, self._local_j - drive.spent_j[drive.active], _BINS)
        self._windows += np.bincount(metres, minlength=_BINS)
        self.held.append(drive.held[drive.active].astype(np.float64))

    def saved(self, low: int, high: int) -> float:
        """Return the energy below that of the device, in per cent, from `low` to below `high` metres."""
        windows = float(self._windows[low:high].sum())
        return 100 * float(self._saved_j[low:high].sum()) / windows / self._local_j if windows else nan
