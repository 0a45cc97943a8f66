"""Episodes of many designs at once, window by window.

Source: odema-2024 sections 6.3 and 6.5. A period begins with a steering that the shield corrects and that is held. The monitor
says for how many windows that is safe. On the device the detector runs in every window. A frame that is sent may take all of
them but the last, which is left to the device; in eager mode the next period begins after the answer, in uniform mode when the
windows are over. Held is what the monitor allows from the moment the steering begins, one window less than the timeline of
figure 6.4, which goes beyond its guarantee. Where nu is shorter than a window, the rule with the predicted state holds the steering
only where `escape` shows that the barrier is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.conditions import Conditions
from engines.methods.energyshield.controllers import CONTROLLERS, Controller
from engines.methods.energyshield.escape import Escape
from engines.methods.energyshield.monitor import held_windows, monitored_s
from engines.methods.energyshield.rules import RULES, gentle_steering, printed_steering, side_of, sided_steering
from engines.methods.energyshield.vehicle import Pose, moved, relative
from engines.methods.energyshield.window_bounds import WINDOW_PART_M, least_on_arcs

Policy = Literal["local", "eager", "uniform"]
POLICIES: tuple[Policy, ...] = ("local", "eager", "uniform")
_LOCAL, _EAGER = 0, 1
_PREDICTED, _PRINTED = RULES.index("predicted"), RULES.index("printed")
_CHANGED = 1e-9  # radians from which on the shield has changed a steering


@dataclass(frozen=True)
class DrivingConditions:
    """The conditions that are the same for all designs.

    Attributes:
        window_s: a window.
        windows: windows of an episode at most.
        speed_m_per_s: speed of the vehicle.
        axle_m: from the centre of mass to an axle.
        beta_max: radians.
        v_max_m_per_s: for which the shield was made.
        road_m: length of the road, at whose end an episode ends.
        controller: controller of the steering.
        shielded: whether the shield corrects.
        far: whether the monitor has the rule for long range.
        payload_bits: payload bits of a frame.
        base_power_w: base power in watts of each radio while it sends.
        joules_per_bit: energy per bit of each radio.
        local_j: local in joules of the detector on the device, of each of its settings.
        network_s: round trip of the network behind each radio, next to the delay of the server.
    """

    window_s: float
    windows: int
    speed_m_per_s: float
    axle_m: float
    beta_max: float
    v_max_m_per_s: float
    road_m: float
    controller: Controller
    shielded: bool
    far: bool
    payload_bits: float
    base_power_w: tuple[float, ...]
    joules_per_bit: tuple[float, ...]
    local_j: tuple[float, ...]
    network_s: tuple[float, ...]


@dataclass(frozen=True)
class Choice:
    """A design: shield, margin, policy, numbers of radio, load and setting of the detector, and of the rule (`RULES`)."""

    sigma: float
    radius_m: float
    margin_m: float
    policy: int
    most_windows: int
    radio: int = 0
    load: int = 0
    detector: int = 0
    rule: int = 0


class Drive:
    """`d` designs in the same `e` episodes; all arrays have shape `d e`, one design after the other.

    Attributes:
        pose: at the beginning of the window.
        beta: steering of the window. asked: before the shield.
        held: windows for which the steering may be held, of the period.
        spent_j: energy of the window.
        sending: whether the radio sends in the window. computing: whether the detector runs on the device.
        r_m, xi: to all obstacles at the beginning of the window, shape `d e x o`.
    """

    def __init__(self, world: DrivingConditions, conditions: Conditions, designs: Sequence[Choice]) -> None:
        self.world, self.conditions = world, conditions
        self.designs, self.episodes = len(designs), len(conditions.obstacles_x_m)
        count = self.designs * self.episodes
        self._episode = np.tile(np.arange(self.episodes), self.designs)

        def each(name: str) -> FloatArray:
            return np.repeat(np.array([getattr(design, name) for design in designs], np.float64), self.episodes)

        self.barrier = Barrier(each("sigma"), each("radius_m"), world.axle_m, world.beta_max, world.v_max_m_per_s)
        self.margin_m, self.most = each("margin_m"), each("most_windows")
        self.policy, self.radio, self.load, self._rule = (
            each(name).astype(np.int64) for name in ("policy", "radio", "load", "rule")
        )
        self.local_j = np.array(world.local_j)[each("detector").astype(np.int64)]
        self.base_w, self.bit_j = np.array(world.base_power_w)[self.radio], np.array(world.joules_per_bit)[self.radio]
        self._network_s = np.array(world.network_s)[self.radio]
        self._obstacles = conditions.obstacles_x_m[self._episode], conditions.obstacles_y_m[self._episode]
        zero = np.zeros(count)
        self.pose = Pose(zero, zero, zero)
        self.r_m, self.xi = self._relative()
        self._old = self.r_m, self.xi
        self.side, self.beta, self.spent_j, self._turn = zero.copy(), zero.copy(), zero.copy(), zero.copy()
        self._left, self.held = np.zeros(count, np.int64), np.ones(count, np.int64)
        self._bits, self._delay, self._answer = zero.copy(), zero.copy(), zero.copy()
        self._remote, self._received = np.zeros(count, bool), np.zeros(count, bool)
        self.sending, self.computing = np.zeros(count, bool), np.zeros(count, bool)
        self.asked = self._controlled(0)
        self._pending = self.asked.copy()
        self.active: BoolArray = np.ones(count, bool)
        self.totals = Totals.zero(count)
        self.totals.start(self)

    def run(self, observe: Callable[[int, Drive], None] | None = None) -> Totals:
        """Return all windows; `observe` sees each one before the vehicle moves on."""
        for window in range(self.world.windows):
            begins = np.flatnonzero(self.active & (self._left == 0))
            if len(begins):
                self._begin(begins, window)
            self._spend(window)
            if observe is not None:
                observe(window, self)
            self._move()
            if not self.active.any():
                break
        return self.totals

    def _relative(self) -> tuple[FloatArray, FloatArray]:
        pose = Pose(self.pose.x_m[:, None], self.pose.y_m[:, None], self.pose.heading[:, None])
        return relative(pose, *self._obstacles)

    def _controlled(self, window: int) -> FloatArray:
        noise = self.conditions.noise[self._episode, window]
        return CONTROLLERS[self.world.controller](self.pose, noise, self.world.speed_m_per_s, self.world.axle_m)

    def _begin(self, rows: IntArray, window: int) -> None:
        """Correct the steering, asks the monitor, and decides where the next one comes from."""
        world, barrier = self.world, self.barrier.part(rows)
        ahead = (self._rule[rows] == _PREDICTED)[:, None]
        r_m = np.where(ahead, self.r_m[rows], self._old[0][rows])
        xi = np.where(ahead, self.xi[rows], self._old[1][rows])
        nearest = r_m.argmin(axis=1)
        one = np.arange(len(rows))
        near_r, near_xi = r_m[one, nearest], xi[one, nearest]
        self.asked[rows] = self._pending[rows]
        beta = np.clip(self.asked[rows], -world.beta_max, world.beta_max)
        if world.shielded:
            beta = self._shielded(barrier, rows, near_r, near_xi, beta)
        nu_s = monitored_s(barrier.beside(), r_m, xi, beta[:, None], far=world.far).min(axis=1)
        held = held_windows(nu_s, world.window_s, self.most[rows])
        if world.shielded:
            beta, held = self._with_escape(rows, beta, held)
        self.beta[rows], self.held[rows] = beta, held
        remote = self._worth_sending(rows, window, held)
        self._left[rows] = np.where(remote, held, 1)
        self._remote[rows], self._received[rows] = remote, False
        self._bits[rows] = np.where(remote, world.payload_bits, 0.0)
        delay_s = self.conditions.delay_s[self.load[rows], self._episode[rows], window]
        self._delay[rows] = delay_s + self._network_s[rows]
        if remote.any():
            self._answer[rows] = self._controlled(window)[rows]
        self.totals.offloads[rows] += remote

    def _shielded(
        self, barrier: Barrier, rows: IntArray, r_m: FloatArray, xi: FloatArray, beta: FloatArray
    ) -> FloatArray:
        side = side_of(xi, self.side[rows])
        self.side[rows] = side
        found = sided_steering(barrier, self.margin_m[rows], r_m, xi, beta, side)
        printed = np.flatnonzero(self._rule[rows] == _PRINTED)
        if len(printed):
            found[printed] = printed_steering(
                barrier.part(printed), self.margin_m[rows[printed]], r_m[printed], xi[printed], beta[printed]
            )
        ahead = np.flatnonzero(self._rule[rows] == _PREDICTED)
        if len(ahead):
            part, way_m = barrier.part(ahead), self.world.speed_m_per_s * self.world.window_s
            margin_m = self.margin_m[rows[ahead]]
            found[ahead] = gentle_steering(part, margin_m, r_m[ahead], xi[ahead], beta[ahead], side[ahead], way_m)
        return found

    def _with_escape(self, rows: IntArray, beta: FloatArray, held: IntArray) -> tuple[FloatArray, IntArray]:
        """Return the steering for as long as a way out stays open, else the way out; of the rule with the predicted state."""
        ahead = np.flatnonzero(self._rule[rows] == _PREDICTED)
        beta, held, rows, pose = beta.copy(), held.copy(), rows[ahead], self.pose.part(rows[ahead])
        escape = Escape(self.barrier.part(rows), (self._obstacles[0][rows], self._obstacles[1][rows]))
        windows = escape.windows(pose, beta[ahead], self.world.speed_m_per_s * self.world.window_s, held[ahead])
        none = np.flatnonzero(windows == 0)
        escape = Escape(self.barrier.part(rows[none]), (self._obstacles[0][rows[none]], self._obstacles[1][rows[none]]))
        out = escape.steering(pose.part(none))
        # A turn that was open stays open: its bounds, taken from another place on it, may differ in the last digits.
        out = np.where(np.isnan(out) & (self._turn[rows[none]] != 0), self._turn[rows[none]], out)
        self._turn[rows] = 0.0
        self._turn[rows[none]] = np.nan_to_num(out)
        self.totals.unproven[rows[none]] += np.isnan(out)
        beta[ahead[none]] = np.where(np.isnan(out), beta[ahead[none]], out)
        held[ahead] = np.maximum(windows, 1)
        return beta, held

    def _worth_sending(self, rows: IntArray, window: int, held: IntArray) -> BoolArray:
        """Return a mask of vehicles for which the answer is expected in time and with less energy than on the device (C4)."""
        episode, world = self._episode[rows], self.world
        rate = self.conditions.known_bits_per_s[self.radio[rows], episode, window]
        sending_s = world.payload_bits / rate
        delay_s = self.conditions.known_delay_s[self.load[rows], episode, window]
        expected_s = sending_s + delay_s + self._network_s[rows]
        expected_j = (self.base_w[rows] + self.bit_j[rows] * rate) * sending_s
        in_time = (held >= 2) & (expected_s <= (held - 1) * world.window_s)
        return np.asarray(in_time & (expected_j < self.local_j[rows]) & (self.policy[rows] != _LOCAL))

    def _spend(self, window: int) -> None:
        """Advance radio, server and detector during the window."""
        length = self.world.window_s
        rate = self.conditions.bits_per_s[self.radio, self._episode, window]
        waiting = self._remote & ~self._received & (self._left > 1)
        self.sending = waiting & (self._bits > 0)
        need_s = np.where(self.sending, self._bits / rate, 0.0)
        sent_s = np.minimum(need_s, length)
        self.spent_j = (self.base_w + self.bit_j * rate) * sent_s
        done = need_s <= length
        self._bits = np.where(done, 0.0, self._bits - rate * length)
        self._delay = np.where(waiting & done, self._delay - (length - sent_s), self._delay)
        self.totals.extra_windows[:] += self.active & self.sending & (self._left < self.held)
        received = waiting & done & (self._delay <= 0)
        self._received |= received
        self._pending = np.where(received, self._answer, self._pending)
        self.computing = (self._left == 1) & ~self._received
        self.spent_j = self.spent_j + np.where(self.computing, self.local_j, 0.0)
        if self.computing.any():
            self._pending = np.where(self.computing, self._controlled(window), self._pending)
        ends = received & (self.policy == _EAGER)
        self._left = np.where(ends, 0, self._left - 1)

    def _move(self) -> None:
        world = self.world
        self.totals.spend(self)
        there = moved(self.pose, self.beta, world.speed_m_per_s, world.axle_m, world.window_s)
        on = self.active
        before, self._old = self.pose, (self.r_m, self.xi)
        self.pose = Pose(
            np.where(on, there.x_m, before.x_m),
            np.where(on, there.y_m, before.y_m),
            np.where(on, there.heading, before.heading),
        )
        self.r_m, self.xi = self._relative()
        self._see(before)
        self.totals.progress_m[:] = self.pose.x_m
        self.active = on & (self.pose.x_m < world.road_m)

    def _see(self, before: Pose) -> None:
        """Take in the least of h and of the distance within the window; in short parts where longer ones do not tell."""
        totals, way_m = self.totals, self.world.speed_m_per_s * self.world.window_s
        least_h, nearest_m = totals.least_h_per_m[:, None], (totals.least_clearance_m + self.barrier.radius_m)[:, None]
        reached = np.minimum(self._old[0], self.r_m) - way_m
        near = self.active[:, None] & ((reached < nearest_m) | (self.barrier.beside().least_h(reached) < least_h))
        rows, columns = np.nonzero(near)
        for part_m in (way_m, WINDOW_PART_M):
            if not len(rows):
                break
            obstacles = self._obstacles[0][rows, columns], self._obstacles[1][rows, columns]
            barrier = self.barrier.part(rows)
            h, r_m = least_on_arcs(barrier, before.part(rows), self.beta[rows], obstacles, way_m, part_m)
            at_ends = [state[rows, columns] for state in (*self._old, self.r_m, self.xi)]
            end_h = np.minimum(barrier.h(*at_ends[:2]), barrier.h(*at_ends[2:]))
            end_r = np.minimum(at_ends[0], at_ends[2])
            open_ = ((h < end_h) & (h < totals.least_h_per_m[rows])) | ((r_m < end_r) & (r_m < nearest_m[rows, 0]))
            final = np.flatnonzero(~open_) if part_m > WINDOW_PART_M else np.arange(len(rows))
            np.minimum.at(totals.least_h_per_m, rows[final], h[final])
            np.minimum.at(totals.least_clearance_m, rows[final], r_m[final] - barrier.part(final).radius_m)
            rows, columns = np.delete(rows, final), np.delete(columns, final)


@dataclass(frozen=True, eq=False)
class Totals:
    """Totals of every episode, shape `d e`.

    Attributes:
        windows: driven. energy_j: in all of them.
        least_h_per_m: lower bound of the barrier, within windows too. least_clearance_m: of the distance beyond rbar, likewise.
        squared_m2: sum over windows of the squared offset from the lane. progress_m: along the road.
        local_windows: with the detector on the device. offloads: frames that were sent.
        extra_windows: of sending beyond the first of a frame. corrected: windows with a steering that the shield changed.
        unproven: periods of the rule with the predicted state that began without a full turn free to either side.
    """

    windows: FloatArray
    energy_j: FloatArray
    least_h_per_m: FloatArray
    least_clearance_m: FloatArray
    squared_m2: FloatArray
    progress_m: FloatArray
    local_windows: FloatArray
    offloads: FloatArray
    extra_windows: FloatArray
    corrected: FloatArray
    unproven: FloatArray

    @staticmethod
    def zero(count: int) -> Totals:
        """Return the totals before the first window."""
        return Totals(*(np.zeros(count) for _ in Totals.__dataclass_fields__))

    def spend(self, drive: Drive) -> None:
        """Take in a window."""
        on = drive.active
        self.windows[:] += on
        self.energy_j[:] += np.where(on, drive.spent_j, 0.0)
        self.squared_m2[:] += np.where(on, drive.pose.y_m**2, 0.0)
        self.local_windows[:] += on & drive.computing
        self.corrected[:] += on & (np.abs(drive.beta - drive.asked) > _CHANGED)

    def start(self, drive: Drive) -> None:
        """Take in where vehicles begin."""
        self.least_h_per_m[:] = drive.barrier.beside().h(drive.r_m, drive.xi).min(axis=1)
        self.least_clearance_m[:] = drive.r_m.min(axis=1) - drive.barrier.radius_m
