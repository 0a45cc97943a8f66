"""Measures one network: latency with its interval, time of every node, energy where it can be read.

The process that calls this is the measurement's own (`paretoscope_agent.limited`): its cores are pinned and its memory is bounded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from paretoscope_agent.energy import Reading, find_meter
from paretoscope_agent.errors import MeasurementError
from paretoscope_agent.intervals import Interval, halves_differ, interval_of_median
from paretoscope_agent.load import Watch, cores
from paretoscope_agent.machine import clock_mhz, throttled
from paretoscope_agent.profile import NodeTime, read_profile

CPU_PROVIDER = "CPUExecutionProvider"
_WARM_UP_S, _WARM_UP_RUNS = 0.3, 3
_LEAST_RUNS, _MOST_RUNS = 15, 5000
_PROFILED_RUNS = 9
_DRIFT = 0.05
_ENERGY_LEAST_S = 1.0
_DRAWN = 1 << 18
# Types of onnxruntime that numpy calls otherwise.
_DTYPES = {"tensor(float)": "float32", "tensor(double)": "float64"}


@dataclass(frozen=True)
class Conditions:
    """How a network is measured.

    Attributes:
        threads: threads of the runtime, each pinned to a core.
        provider: provider of the runtime.
        time_s: at most for the repetitions; when the interval is narrow enough they end earlier.
        half_width: half width of the 95 % interval of the median, as a share of it.
        seed: seed of weights and inputs.
    """

    threads: int = 1
    provider: str = CPU_PROVIDER
    time_s: float = 10.0
    half_width: float = 0.03
    seed: int = 1


def draw_weights(folder: Path, file: str, weights: Sequence[Sequence[float]], size: int, seed: int) -> None:
    """Write the file of weights: normal numbers of the deviation of each tensor, the same for the same seed.

    Args:
        folder: folder of the ONNX file.
        file: name of the file of weights.
        weights: elements, deviation and offset of each tensor, in the order of the file.
        size: size of the file in bytes.
        seed: seed of the numbers.
    """
    if Path(file).name != file:
        raise MeasurementError(f"The file of weights is called {file}: a plain name is accepted.")
    drawn = np.random.default_rng(seed).standard_normal(_DRAWN).astype(np.float32)
    target = np.memmap(folder / file, np.float32, "w+", shape=(max(size // 4, 1),))
    for elements, deviation, offset in weights:
        begin, count = int(offset) // 4, int(elements)
        target[begin : begin + count] = np.resize(drawn, count) * np.float32(deviation)
    target.flush()


def measure(model: Path, conditions: Conditions, whole_numbers: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Measure an ONNX file.

    Args:
        model: the file.
        conditions: conditions of the measurement.
        whole_numbers: input of whole numbers -> what they stay below.

    Returns:
        `latency_s` (median, low, high, count, settled), `nodes`, `energy_j` of one run and `energy_source`,
        `others_cores`, `clock_mhz` before and after, `notes`.

    Raises:
        MeasurementError: the runtime refuses the network or has not that provider, or there are fewer cores than threads.
    """
    chosen = _pinned(conditions.threads)
    session = _session(model, conditions, chosen)
    inputs = _inputs(session, whole_numbers or {}, conditions.seed)
    watch, clocks, heat = Watch.start(), [clock_mhz()], throttled()
    samples = _repeat(session, inputs, conditions)
    others, clocks = watch.others_cores(), [*clocks, clock_mhz()]
    found = interval_of_median(samples)
    energy, source = _energy(session, inputs, found.median)
    nodes = _profiled(model, conditions, chosen, inputs)
    return {
        "latency_s": {**_interval_json(found), "settled": found.relative_half_width <= conditions.half_width},
        "nodes": [asdict(node) for node in nodes],
        "energy_j": energy,
        "energy_source": source,
        "others_cores": others,
        "clock_mhz": clocks,
        "notes": [*_notes(found, samples, conditions, clocks, heat), *left_to_others(nodes, conditions.provider)],
    }


def _pinned(threads: int) -> list[int]:
    """Let this process run on that many cores alone, the last ones, as the first also serve interrupts."""
    usable = cores()
    if threads > len(usable):
        raise MeasurementError(f"{threads} threads were requested. This device has {len(usable)} cores.")
    chosen = usable[-threads:]
    os.sched_setaffinity(0, chosen)
    return chosen


def _session(
    model: Path, conditions: Conditions, chosen: Sequence[int], profile: Path | None = None
) -> onnxruntime.InferenceSession:
    if conditions.provider not in onnxruntime.get_available_providers():
        offered = ", ".join(onnxruntime.get_available_providers())
        raise MeasurementError(f"The provider {conditions.provider} is not there; this runtime has {offered}.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = conditions.threads, 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    # Weights are drawn, so that a softmax may get scores far apart: its subnormal results would take up to twenty times as long.
    options.add_session_config_entry("session.set_denormal_as_zero", "1")
    if conditions.threads > 1:  # the thread that calls is the first; cores are counted from 1 on
        places = ";".join(str(core + 1) for core in chosen[1:])
        options.add_session_config_entry("session.intra_op_thread_affinities", places)
    if profile is not None:
        options.enable_profiling, options.profile_file_prefix = True, str(profile)
    try:
        session = onnxruntime.InferenceSession(str(model), options, providers=[conditions.provider])
    except Exception as error:  # onnxruntime has no base class of its own
        raise MeasurementError(f"onnxruntime does not run this network: {str(error)[:500]}") from error
    if (
        conditions.provider not in session.get_providers()
    ):  # onnxruntime goes on without one whose libraries it cannot load
        raise MeasurementError(f"The provider {conditions.provider} cannot be loaded here: the runtime fell back.")
    os.sched_setaffinity(0, chosen[:1])
    return session


def _inputs(session: onnxruntime.InferenceSession, whole_numbers: Mapping[str, int], seed: int) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    found: dict[str, Any] = {}
    for each in session.get_inputs():
        shape = [size if isinstance(size, int) and size > 0 else 1 for size in each.shape]
        kind = np.dtype(_DTYPES.get(each.type, each.type[len("tensor(") : -1]))
        if kind.kind == "f":
            found[each.name] = generator.standard_normal(shape).astype(kind)
        else:
            below = max(1, whole_numbers.get(each.name, 1))
            found[each.name] = generator.integers(0, below, shape, np.int64).astype(kind)
    return found


def _repeat(session: onnxruntime.InferenceSession, inputs: Mapping[str, Any], conditions: Conditions) -> list[float]:
    """Return the seconds of every repetition after the warm-up, until the interval is narrow enough or the time is over."""
    begin, warm = time.perf_counter(), 0
    while warm < _WARM_UP_RUNS or time.perf_counter() - begin < _WARM_UP_S:
        session.run(None, inputs)
        warm += 1
    samples: list[float] = []
    end, wanted = time.perf_counter() + conditions.time_s, _LEAST_RUNS
    while len(samples) < _MOST_RUNS and (time.perf_counter() < end or not samples):
        started = time.perf_counter()
        session.run(None, inputs)
        samples.append(time.perf_counter() - started)
        if len(samples) >= wanted:
            if interval_of_median(samples).relative_half_width <= conditions.half_width:
                break
            wanted = len(samples) + max(5, len(samples) // 4)  # looking too often would end at the first lucky moment
    return samples


def _energy(
    session: onnxruntime.InferenceSession, inputs: Mapping[str, Any], latency_s: float
) -> tuple[float | None, str]:
    """Return the joules of one run, with what the rest of the chip draws meanwhile, and where from; None and why not."""
    meter = find_meter()
    if not meter.source:
        return None, meter.why_not
    runs = max(3, int(_ENERGY_LEAST_S / max(latency_s, 1e-6)))
    reading = Reading(meter).start()
    for _ in range(runs):
        session.run(None, inputs)
    joules = reading.stop()
    return (None if joules is None else joules / runs), meter.source


def _profiled(
    model: Path, conditions: Conditions, chosen: Sequence[int], inputs: Mapping[str, Any]
) -> tuple[NodeTime, ...]:
    """Return the times of the nodes, of runs of their own: profiling slows a network down."""
    os.sched_setaffinity(0, chosen)
    session = _session(model, conditions, chosen, model.parent / "profile")
    for _ in range(_PROFILED_RUNS):
        session.run(None, inputs)
    return read_profile(Path(session.end_profiling()).read_text())


def _interval_json(found: Interval) -> dict[str, float | int | None]:
    told = found.low == found.low  # NaN: too few repetitions for an interval
    return {
        "median": found.median,
        "low": found.low if told else None,
        "high": found.high if told else None,
        "count": found.count,
    }


def left_to_others(nodes: Sequence[NodeTime], provider: str) -> list[str]:
    """Say that the provider left some nodes to others, mostly the processor."""
    left = [node for node in nodes if node.provider and node.provider != provider]
    return [f"{len(left)} of {len(nodes)} nodes ran on {left[0].provider}, not on {provider}."] if left else []


def _notes(
    found: Interval, samples: Sequence[float], conditions: Conditions, clocks: Sequence[float], heat: int | None
) -> list[str]:
    notes = []
    if found.relative_half_width > conditions.half_width:
        notes.append(
            f"Not settled: after {found.count} repetitions the interval is wider than {conditions.half_width:.0%}."
        )
    if halves_differ(samples, _DRIFT):
        notes.append(f"The second half of the repetitions differs from the first by more than {_DRIFT:.0%}.")
    if clocks[0] and abs(clocks[1] / clocks[0] - 1) > _DRIFT:
        notes.append(f"The clock went from {clocks[0]:.0f} to {clocks[1]:.0f} MHz in the middle.")
    if heat is not None and (throttled() or 0) > heat:
        notes.append("The processor was slowed down for its heat.")
    return notes
