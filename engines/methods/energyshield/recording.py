"""Episodes window by window."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.energyshield.episodes import Drive
from engines.methods.energyshield.vehicle import Pose
from engines.methods.energyshield.window_bounds import least_on_arcs


@dataclass(frozen=True, eq=False)
class EpisodeRecord:
    """An episode of `w` windows, arrays of shape `w`, at the beginning of each where nothing else is said.

    Attributes:
        time_s: time in seconds of the window. x_m, y_m, heading: of the vehicle.
        h: lower bound of the barrier within the window, of all obstacles.
        asked, beta: steering before and after the shield, radians.
        held: windows for which the steering may be held. rate_bits_per_s: of the channel. spent_j: in the window.
        sending, computing: 1 where the radio sends, where the detector runs on the device.
        obstacles_m: (along, across) of each.
    """

    time_s: FloatArray
    x_m: FloatArray
    y_m: FloatArray
    heading: FloatArray
    h: FloatArray
    asked: FloatArray
    beta: FloatArray
    held: FloatArray
    rate_bits_per_s: FloatArray
    spent_j: FloatArray
    sending: FloatArray
    computing: FloatArray
    obstacles_m: tuple[tuple[float, float], ...]


class Recording:
    """A recorder of every time window of a drive, for all episodes: `drive.run(recording.see)`."""

    def __init__(self) -> None:
        self._windows: list[dict[str, FloatArray]] = []
        self._active: list[FloatArray] = []

    def see(self, window: int, drive: Drive) -> None:
        """Take in a window."""
        own = np.arange(len(drive.beta)) % drive.episodes
        self._windows.append(
            {
                "x_m": drive.pose.x_m, "y_m": drive.pose.y_m, "heading": drive.pose.heading,
                "asked": drive.asked.copy(), "beta": drive.beta.copy(), "held": drive.held.astype(np.float64),
                "rate_bits_per_s": drive.conditions.bits_per_s[drive.radio, own, window],
                "spent_j": drive.spent_j, "sending": drive.sending.astype(np.float64),
                "computing": drive.computing.astype(np.float64),
            }
        )  # fmt: skip
        self._active.append(drive.active.astype(np.float64))

    def of(self, drive: Drive, row: int) -> EpisodeRecord:
        """Return one episode of one design, `row` of the drive."""
        count = int(sum(active[row] for active in self._active))
        arrays = {
            name: np.array([window[name][row] for window in self._windows[:count]], np.float64)
            for name in self._windows[0]
        }
        episode, conditions = row % drive.episodes, drive.conditions
        points = tuple(
            zip(conditions.obstacles_x_m[episode].tolist(), conditions.obstacles_y_m[episode].tolist(), strict=True)
        )
        arrays["h"] = self._least_h(drive, row, arrays, points)
        return EpisodeRecord(np.arange(count, dtype=np.float64) * drive.world.window_s, **arrays, obstacles_m=points)

    @staticmethod
    def _least_h(
        drive: Drive, row: int, arrays: dict[str, FloatArray], points: tuple[tuple[float, float], ...]
    ) -> FloatArray:
        count, way_m = len(arrays["beta"]), drive.world.speed_m_per_s * drive.world.window_s
        pose = Pose(arrays["x_m"], arrays["y_m"], arrays["heading"])
        barrier = drive.barrier.part(np.full(count, row))
        every = [
            least_on_arcs(barrier, pose, arrays["beta"], (np.full(count, x), np.full(count, y)), way_m)[0]
            for x, y in points
        ]
        return np.asarray(np.min(every, axis=0))
