"""Energy where the machine lets it be read: RAPL of x86, INA sensors of boards (a Jetson's rails). Else none, and why."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

_RAPL = Path("/sys/class/powercap")
_SENSORS = Path("/sys/class/hwmon")
_EVERY_S = 0.05


@dataclass(frozen=True)
class Meter:
    """What can be read.

    Attributes:
        source: "RAPL package-0", "INA VDD_IN"; empty where nothing can be.
        why_not: in words, where nothing can be read.
        counter: file of a counter of microjoules; wraps at `wraps_uj`.
        rails: files of milliwatts.
    """

    source: str = ""
    why_not: str = ""
    counter: Path | None = None
    wraps_uj: int = 0
    rails: tuple[Path, ...] = ()


@dataclass
class Reading:
    """Energy over a stretch of time; `stop` gives joules, None where nothing can be read."""

    meter: Meter
    _begin_uj: int = 0
    _samples_w: list[float] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _begin_s: float = 0.0

    def start(self) -> Reading:
        """Begin."""
        self._begin_s = time.monotonic()
        if self.meter.counter is not None:
            self._begin_uj = int(self.meter.counter.read_text())
        elif self.meter.rails:
            self._thread = threading.Thread(target=self._sample, daemon=True)
            self._thread.start()
        return self

    def stop(self) -> float | None:
        """Joules since the start."""
        passed = time.monotonic() - self._begin_s
        if self.meter.counter is not None:
            difference = int(self.meter.counter.read_text()) - self._begin_uj
            return (difference if difference >= 0 else difference + self.meter.wraps_uj) / 1e6
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        return passed * sum(self._samples_w) / len(self._samples_w) if self._samples_w else None

    def _sample(self) -> None:
        while not self._ended.wait(_EVERY_S):
            self._samples_w.append(sum(int(rail.read_text()) for rail in self.meter.rails) / 1e3)


def find_meter(rapl: Path = _RAPL, sensors: Path = _SENSORS) -> Meter:
    """The first meter that this process may read."""
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
    return _sensor(sensors) or Meter(why_not="this machine has neither RAPL nor an INA sensor that can be read")


def _sensor(sensors: Path) -> Meter | None:
    """The whole board's rail, or the sum of those of compute units, in milliwatts: of drivers that give power itself."""
    for folder in sorted(sensors.glob("hwmon*")):
        try:
            if not (folder / "name").read_text().startswith("ina"):
                continue
            rails = {path.read_text().strip(): path.name[2:-6] for path in folder.glob("in*_label")}
        except OSError:
            continue
        for label in ("VDD_IN", "VIN_SYS_5V0", "POM_5V_IN"):
            power = folder / f"power{rails.get(label, '')}_input"
            if label in rails and power.exists():
                return Meter(f"INA {label}", rails=(power,))
    return None
