"""Energy where the machine lets it be read: RAPL of x86, INA sensors of boards, tegrastats of a Jetson. Else none, and why."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from paretoscope_agent.tegrastats import Tegrastats, find_tegrastats

_RAPL = Path("/sys/class/powercap")
_SENSORS = Path("/sys/class/hwmon")
_EVERY_S = 0.05
# What the whole board draws, as boards call it.
BOARD_RAILS = ("VDD_IN", "VIN_SYS_5V0", "POM_5V_IN")


@dataclass(frozen=True)
class Meter:
    """The meters that can be read.

    Attributes:
        source: "RAPL package-0", "INA VDD_IN", "tegrastats VDD_IN"; empty where nothing can be.
        why_not: in words, where nothing can be read.
        counter: file of a counter of microjoules; wraps at `wraps_uj`.
        rails: of each rail the files whose product is microwatts: one of power, or one of millivolts and one of milliamperes.
        program: path of tegrastats, where no file tells power; its board's rail is read.
    """

    source: str = ""
    why_not: str = ""
    counter: Path | None = None
    wraps_uj: int = 0
    rails: tuple[tuple[Path, ...], ...] = ()
    program: str = ""


@dataclass
class Reading:
    """Energy over a stretch of time; `stop` gives joules, None where nothing can be read."""

    meter: Meter
    _begin_uj: int = 0
    _samples_w: list[float] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _begin_s: float = 0.0
    _program: Tegrastats | None = None

    def start(self) -> Reading:
        """Begin the reading."""
        self._begin_s = time.monotonic()
        if self.meter.counter is not None:
            self._begin_uj = int(self.meter.counter.read_text())
        elif self.meter.rails:
            self._thread = threading.Thread(target=self._sample, daemon=True)
            self._thread.start()
        elif self.meter.program:
            self._program = Tegrastats(self.meter.program, BOARD_RAILS)
        return self

    def stop(self) -> float | None:
        """Return the joules since the start."""
        passed = time.monotonic() - self._begin_s
        if self.meter.counter is not None:
            difference = int(self.meter.counter.read_text()) - self._begin_uj
            return (difference if difference >= 0 else difference + self.meter.wraps_uj) / 1e6
        if self._program is not None:
            self._samples_w = self._program.stop()
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        return passed * sum(self._samples_w) / len(self._samples_w) if self._samples_w else None

    def _sample(self) -> None:
        while not self._ended.wait(_EVERY_S):
            microwatts = (prod(int(file.read_text()) for file in rail) for rail in self.meter.rails)
            self._samples_w.append(sum(microwatts) / 1e6)


def find_meter(rapl: Path = _RAPL, sensors: Path = _SENSORS) -> Meter:
    """Return the first energy meter that this process may read."""
    for folder in sorted(rapl.glob("intel-rapl:[0-9]*")):
        try:
            name = (folder / "name").read_text().strip()
            if not name.startswith("package"):
                continue
            int((folder / "energy_uj").read_text())
            wraps = int((folder / "max_energy_range_uj").read_text())
        except PermissionError:
            return Meter(why_not=f"{folder / 'energy_uj'} is readable by the administrator alone")
        except (OSError, ValueError):
            continue
        return Meter(f"RAPL {name}", counter=folder / "energy_uj", wraps_uj=wraps)
    found = _sensor(sensors)
    if found is not None:
        return found
    program = find_tegrastats()
    if program:
        return Meter("tegrastats", program=program)
    return Meter(why_not="this machine has no readable RAPL, no INA sensor and no tegrastats")


def _sensor(sensors: Path) -> Meter | None:
    """Return the whole board's rail.

    Linux tells power in microwatts, volts and amperes in thousandths (Documentation/hwmon/sysfs-interface).
    """
    for folder in sorted(sensors.glob("hwmon*")):
        try:
            if not (folder / "name").read_text().startswith("ina"):
                continue
            rails = {path.read_text().strip(): path.name[2:-6] for path in folder.glob("in*_label")}
        except OSError:
            continue
        for label in BOARD_RAILS:
            number = rails.get(label, "")
            ways = ((f"power{number}_input",), (f"in{number}_input", f"curr{number}_input"))
            for files in (tuple(folder / name for name in way) for way in ways):
                if number and all(file.exists() for file in files):
                    return Meter(f"INA {label}", rails=(files,))
    return None
