"""Lives and gains that follow from the powers of the devices alone, without routes or videos."""

from __future__ import annotations

from collections.abc import Iterator

from engines.methods.seesaw.costs.power import NodePower
from engines.methods.seesaw.reproduction.rows import (
    CALIBRATIONS,
    CAMERA,
    GAIN_OF_AVERAGES,
    LIFE_IS_BEHIND,
    PUBLICATION,
    TOLERANCES,
    TRACKER,
    TREE_POWER,
    contradiction,
    node_of,
    power_of,
)
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.rows import Rows

GPS_ALONE = (
    "Fitbit says at most 10 h, with the receiver alone. Computed: the battery over the receiver's share of the power; that "
    "share and "
    "the life of the whole went in."
)
OTHER_SHARE = (
    "Active, idle and write power add up to {power:.0f} mW, as if each lasted the whole frame. Section 3.1 says 31 %, "
    "section 3.3.1 36 %."
)


def tracker_power() -> Iterator[Comparison]:
    """Yield the life of the fitness tracker, and what sleep and seesaw sensing gain (Figure 3.13)."""
    rows = PUBLICATION.rows("Fitness tracker: life and gains from its powers")
    for reading, calibration in CALIBRATIONS:
        node, power = node_of(TRACKER), power_of(TRACKER, calibration)
        fitted = calibration == "shares"
        if fitted:
            gps_h = power.capacity_j / _part_w(power, node.rated_sensor.name) / 3600.0
            name = "Life of the commercial tracker, the receiver alone"
            yield rows(
                name, "tracker.fitbit_battery", gps_h, reading=reading, why=GPS_ALONE, kind="arithmetic", test="at most"
            )
        else:  # under the shares the life is what went in
            life_h = power.capacity_j / float(power.mean_w(1.0)) / 3600.0
            why = contradiction(PUBLICATION.value("tracker.model_battery_1Hz"), power, 1.0)
            yield rows("Life at 1 Hz", "tracker.model_battery_1Hz", life_h, reading=reading, why=why)
        fusion = node.steady_sensors["imu"].power_w or 0.0
        share = 100.0 * fusion / float(power.mean_w(1.0))
        why = "" if fitted else LIFE_IS_BEHIND
        name = "Share of the sensor fusion (10 mW) in the mean power"
        yield rows(name, "tracker.share_gps_imu[1]", share, reading=reading, why=why, kind="arithmetic")
        for activity in (0.1, 0.2, 0.4):
            gain = power.without_sleep_w / float(power.mean_w(1.0, activity))
            name = f"Gain of sleep, in use {activity:.0%} of the time"
            key = f"fig3.13.sleep_over_always_on.gain.f{activity:g}"
            yield rows(name, key, gain, reading=reading, kind="arithmetic")  # from printed shares or powers in a line
        for activity in (1.0, 0.1):
            for tolerance in TOLERANCES:
                interval = PUBLICATION.value(f"fig3.11.average_update_interval.tol{tolerance}")
                gain = 100 * (float(power.mean_w(1.0, activity) / power.mean_w(1.0 / interval, activity)) - 1)
                name = f"Gain over sleep at the published mean interval, tolerance {tolerance} %, in use {activity:.0%}"
                # In use always, gains on routes have rows of their own.
                kind: Kind = "repeated" if activity == 1.0 else "predicted"
                why = (
                    "A gain of averages; published is the average of gains over the routes." if activity == 1.0 else ""
                )
                key = f"fig3.13.seesaw_over_sleep.f{activity:g}.tol{tolerance}"
                yield rows(name, key, gain, kind=kind, reading=reading, why=why)


def camera_power() -> Iterator[Comparison]:
    """Yield the life of the video camera, and what sleep and seesaw sensing gain (Figure 3.9)."""
    rows = PUBLICATION.rows("Video camera: life and gains from its powers")
    for reading, calibration in CALIBRATIONS:
        power = power_of(CAMERA, calibration)
        fitted = calibration == "shares"
        if fitted:
            yield _processor_share(reading, power, rows)
            gain = 100 * (power.without_sleep_w / float(power.mean_w(30.0)) - 1)
            yield rows(
                "Gain of sleep at 30 frames/s",
                "fig3.9.sleep_gain_30fps",
                gain,
                kind="fitted",
                reading=reading,
                why="The saving of the processor's power by sleep was fitted to this.",
            )
        else:  # under the shares the life is what went in
            life_h = power.capacity_j / power.without_sleep_w / 3600.0
            why = contradiction(PUBLICATION.value("camera.model_battery_30fps"), power, 30.0)
            name = "Life at 30 frames/s, without sleep"
            yield rows(name, "camera.model_battery_30fps", life_h, reading=reading, why=why)
            name = "Life of the commercial camera"
            yield rows(name, "camera.gopro_battery_30fps", life_h, reading=reading, why=why)
        for tolerance in TOLERANCES:
            rate = PUBLICATION.value(f"fig3.7.average_frame_rate.tol{tolerance}")
            gain = 100 * (float(power.mean_w(30.0) / power.mean_w(rate)) - 1)
            name = f"Gain over sleep at the published mean frame rate, tolerance {tolerance} %"
            key = f"fig3.9.seesaw_gain.tol{tolerance}"
            why = GAIN_OF_AVERAGES.format(gain=100 * (30.0 / rate - 1))
            yield rows(name, key, gain, reading=reading, why=why, kind="repeated")  # gains per video have rows


def _processor_share(reading: str, power: NodePower, rows: Rows) -> Comparison:
    """Return the share of the processor without sleep, from the printed powers of its board: the other shares are what went in."""
    processor = node_of(CAMERA).processor
    board_w = processor.active_power_w + processor.idle_power_w + (processor.write_power_w or 0.0)
    name = "Share of the processor: its published powers together over the mean power"
    share, why = 100 * board_w / power.without_sleep_w, OTHER_SHARE.format(power=1e3 * board_w)
    key = "camera.share_sensor_processor_gps"
    return rows(name, f"{key}[1]", share, reading=reading, why=why, kind="arithmetic")


def _part_w(power: NodePower, part: str) -> float:
    """Return the power of a part at the highest rate."""
    return float(power.parts_w(float(power.rates_hz[-1]))[power.parts.index(part)])


def tree_power() -> Iterator[Comparison]:
    """Yield the power of the decision tree (Table 3.5)."""
    rows = PUBLICATION.rows("Predictor on a microcontroller: power", kind="arithmetic")
    for device, title, key, name, watts in (
        (TRACKER, "tracker", "fitness_tracker", "active power", node_of(TRACKER).processor.active_power_w),
        (CAMERA, "camera", "video_camera", "write power", node_of(CAMERA).processor.write_power_w or 0.0),
    ):
        seconds = PUBLICATION.value(f"tree.runtime_{title}") / 1e6
        why = TREE_POWER.format(name=name, power=1e3 * watts)
        words = f"Power of the tree, {title}: published run time x published power"
        printed = PUBLICATION.printed(f"table3.5.{key}.decision_tree")
        yield rows(words, printed, 1e6 * seconds * watts, why=why)
        share = (
            100 * seconds * watts / float(power_of(device, "shares").mean_w(power_of(device, "shares").rates_hz[-1]))
        )
        yield rows(
            f"Share of the tree in the power, {title}",
            "tree.share_of_device_power",
            share,
            why="Published as 0.1 % of the power of the other components; it is less.",
        )
