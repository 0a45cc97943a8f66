"""Facts of this machine: read from the kernel, and a short measurement of its peak and its memory bandwidth."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paretoscope_agent.children import environment
from paretoscope_agent.load import cores

_CPU = Path("/sys/devices/system/cpu")
_PROBE_TIMEOUT_S = 60
_ELSEWHERE = ("AzureExecutionProvider",)


@dataclass(frozen=True)
class Peak:
    """The joint peak of some threads.

    Attributes:
        threads: number of threads.
        operations_per_s: rate of an fp32 matrix product; a multiply-accumulate counts as two.
        bandwidth_bytes_per_s: read and written together, of blocks that no cache holds.
    """

    threads: int
    operations_per_s: float
    bandwidth_bytes_per_s: float


@dataclass(frozen=True)
class Machine:
    """The machine that the probe found. Values that the kernel does not report are None or empty.

    Attributes:
        architecture: "x86_64", "aarch64".
        processor: model of the processor.
        cores: number of usable cores.
        clock_mhz: highest that the kernel names, else the one now.
        governor: governor of the clocks: "performance", "schedutil"; empty where the kernel offers none (virtual machines).
        throttled: number of thermal throttling events since the start; None if unknown.
        caches_kib: "L1d", "L2", "L3" -> size of one.
        providers: providers of the runtime, but for those that compute elsewhere.
        peaks: for one thread and for all cores.
    """

    architecture: str
    processor: str
    cores: int
    clock_mhz: float
    memory_gib: float
    governor: str
    throttled: int | None
    virtual: bool
    caches_kib: Mapping[str, float]
    runtime: str
    providers: tuple[str, ...]
    peaks: tuple[Peak, ...]

    def as_json(self) -> dict[str, Any]:
        """Return everything, and `kind`: a hash of what makes two machines the same kind."""
        facts = asdict(self)
        kind = {
            name: facts[name] for name in ("architecture", "processor", "cores", "memory_gib", "caches_kib", "runtime")
        }
        return {**facts, "kind": hashlib.sha256(json.dumps(kind, sort_keys=True).encode()).hexdigest()}


def probe(measure: bool = True) -> Machine:
    """Return the description of this machine; with `measure`, also its peak rates, which takes some seconds."""
    import onnxruntime

    cpuinfo = _text(Path("/proc/cpuinfo"))
    counts = sorted({1, len(cores())})
    return Machine(
        architecture=platform.machine(),
        processor=_processor(cpuinfo),
        cores=len(cores()),
        clock_mhz=clock_mhz(highest=True),
        memory_gib=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        governor=_text(_CPU / "cpu0/cpufreq/scaling_governor").strip(),
        throttled=throttled(),
        virtual="hypervisor" in cpuinfo,
        caches_kib=_caches(),
        runtime=f"onnxruntime {onnxruntime.__version__}",
        providers=tuple(each for each in onnxruntime.get_available_providers() if each not in _ELSEWHERE),
        peaks=tuple(measured_peak(count) for count in counts) if measure else (),
    )


def clock_mhz(highest: bool = False) -> float:
    """Return the clock of the first core in MHz: the one now, or the highest that can be set; 0 where the kernel does not say."""
    names = ("cpuinfo_max_freq",) if highest else ("scaling_cur_freq",)
    for name in names:
        text = _text(_CPU / f"cpu{cores()[0]}/cpufreq/{name}").strip()
        if text.isdigit():
            return int(text) / 1e3
    for line in _text(Path("/proc/cpuinfo")).splitlines():
        if line.startswith("cpu MHz"):
            return float(line.rpartition(":")[2])
    return 0.0


def throttled() -> int | None:
    """Return the number of thermal throttling events since the start of the machine; None if the kernel does not count them."""
    counts = [_text(path).strip() for path in _CPU.glob("cpu[0-9]*/thermal_throttle/core_throttle_count")]
    return sum(int(text) for text in counts if text.isdigit()) if counts else None


def measured_peak(threads: int) -> Peak:
    """Return the peak and bandwidth of that many threads, in an own process: libraries read their number at the start."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    command = [sys.executable, "-m", "paretoscope_agent.peak", str(threads)]
    done = subprocess.run(
        command,
        env=environment(**dict.fromkeys(names, str(threads))),
        capture_output=True,
        check=True,
        timeout=_PROBE_TIMEOUT_S,
    )
    return Peak(threads, **json.loads(done.stdout))


def _processor(cpuinfo: str) -> str:
    for key in ("model name", "Model", "Hardware"):
        for line in cpuinfo.splitlines():
            if line.startswith(key):
                return line.partition(":")[2].strip()
    return _text(Path("/proc/device-tree/model")).strip("\0\n ") or platform.processor() or platform.machine()


def _caches() -> dict[str, float]:
    found: dict[str, float] = {}
    for folder in sorted((_CPU / "cpu0/cache").glob("index[0-9]*")):
        kind, level, size = (_text(folder / name).strip() for name in ("type", "level", "size"))
        if kind != "Instruction" and size[:-1].isdigit():
            factor = {"K": 1.0, "M": 1024.0}.get(size[-1], 1.0)
            found[f"L{level}" + ("d" if kind == "Data" and level == "1" else "")] = int(size[:-1]) * factor
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
