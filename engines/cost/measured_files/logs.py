"""Whole-network values in the logs of tools.

Formats:
- LiteRT, `benchmark_model`: "Inference timings in us: ... Inference (avg): 249684", "count=50 ... median=51962".
- TensorRT, `trtexec`: "Throughput: 347.9 qps", "GPU Compute Time: ... median = 2.87 ms".
- Rockchip, `rknn.eval_perf`: "Total Time(us): 17219" or "Total Operator Elapsed Per Frame Time(us): 20663".
- Hailo, `hailortcli benchmark`: "FPS (hw_only) = 1328.83", "Latency (hw) = 2.936 ms", power; or the CSV of `--csv`.
- MLPerf Tiny, `results.txt`: "Median throughput is 208.608 inf./sec.", "Median energy cost is 85.2 uJ/inf."
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import PurePath
from statistics import median
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.cost.measured_files.value import MeasuredFile, MeasuredValue, RefusedValue, positive

_NUMBER = r"([0-9.]+(?:e[+-]?[0-9]+)?)"
_HAILO_HEAD = "net_name,"


def read_log(text: str) -> MeasuredFile | None:
    """Return the measured values in the log of a known tool; None for other text.

    Raises:
        ProblemError: the log of a known tool has no value.
    """
    for sign, read in _READERS.items():
        if re.search(sign, text, re.MULTILINE):
            found = read(text)
            if not (found.values or found.refused):
                raise ProblemError("file", f"a log of {found.format} without a value", "a log of a whole run")
            return found
    return None


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else ""


def _figure(pattern: str, text: str, name: str) -> float | None:
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        return None
    return positive(found[1], f"line {_line(text, found.start(1))}.{name}")


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _stem(path: str) -> str:
    return PurePath(path.replace("\\", "/")).name.rpartition(".")[0]


def _litert(text: str) -> MeasuredFile:
    read = MeasuredFile("LiteRT benchmark_model", operators="[node type]" in text)
    runs = re.findall(rf"count=(\d+).*?\bavg={_NUMBER}(?:.*?\bmedian={_NUMBER})?", text)
    average = _figure(rf"Inference \(avg\): {_NUMBER}", text, "Inference (avg)")
    if average is None:
        return read
    count, _, middle = runs[-1] if runs else ("", "", "")
    microseconds = positive(middle, "median") if middle else average
    words = f"{'median' if middle else 'mean'}{f' of {count} runs' if count else ''}"
    threads = _find(r"[Nn]um threads: \[(\d+)\]", text)
    words += f", {many(int(threads), 'thread')}" if threads else ""
    unit = "gpu" if re.search(r"Use gpu: \[(1|true)\]", text) else ""
    network = _stem(_find(r"Graph: \[(.*?)\]", text))
    read.values.append(
        MeasuredValue("Inference timings", "latency", microseconds / 1e6, network=network, unit=unit, runtime="LiteRT",
                      statistic=words)
    )  # fmt: skip
    return read


def _trtexec(text: str) -> MeasuredFile:
    read = MeasuredFile("trtexec log", operators="=== Profile (" in text)
    version = _find(r"TensorRT version: ([\d.]+)", text)
    network = _stem(_find(r"\] Model: (.*)$", text))
    about: dict[str, Any] = {"network": network, "unit": "gpu", "runtime": "TensorRT", "runtime_version": version}
    rate = _figure(rf"Throughput: {_NUMBER} qps", text, "Throughput")
    compute = _figure(rf"GPU Compute Time: .*?median = {_NUMBER} ms", text, "GPU Compute Time")
    if compute is not None:
        words = "median, without copies of inputs and results"
        read.values.append(MeasuredValue("GPU Compute Time", "latency", compute / 1e3, statistic=words, **about))
    if rate is not None:
        read.values.append(MeasuredValue("Throughput", "throughput", rate, statistic="queries per second", **about))
    return read


def _rknn(text: str) -> MeasuredFile:
    whole = _figure(rf"^\s*Total Time\(us\):\s*{_NUMBER}", text, "Total Time(us)")
    summed = _figure(rf"Total Operator Elapsed(?: Per Frame)? Time\(us\):\s*{_NUMBER}", text, "Total Operator Elapsed")
    read = MeasuredFile("rknn eval_perf", operators="FullName" in text)
    found = whole if whole is not None else summed
    if found is not None:
        words = "one frame" if whole is not None else "sum of the operators, with the profiler"
        read.values.append(
            MeasuredValue("Total Time(us)", "latency", found / 1e6, unit="npu", runtime="RKNN", statistic=words)
        )
    return read


def _hailo(text: str) -> MeasuredFile:
    read = MeasuredFile("hailortcli benchmark")
    network = _find(r"^Network ([^\s/:]+)", text)
    rate = _figure(rf"FPS\s+\(hw_only\)\s+= {_NUMBER}", text, "FPS (hw_only)")
    stream = _figure(rf"\(streaming\)\s+= {_NUMBER}", text, "FPS (streaming)")
    latency = _figure(rf"Latency \(hw\)\s+= {_NUMBER} ms", text, "Latency (hw)")
    power = _figure(rf"Power in streaming mode \(average\) = {_NUMBER} W", text, "Power")
    _add_hailo(read, "Summary", network, rate or stream, latency, power, stream or rate)
    return read


def _hailo_csv(text: str) -> MeasuredFile:
    read = MeasuredFile("hailortcli CSV")
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        place, name = f"line {number}", str(row.get("net_name") or "")
        try:
            figures = {
                key: positive(row[key], f"{place}.{key}")
                for key in ("fps", "hw_only_fps", "hw_latency", "average_power")
                if row.get(key) not in (None, "", "-")
            }
        except ProblemError as error:
            read.refused.append(RefusedValue(place, name, str(error)))
            continue
        rate = figures.get("hw_only_fps", figures.get("fps"))
        if rate is None:
            words = str(row.get("status_description") or "no status")
            read.refused.append(RefusedValue(place, name, f"It has no frames per second ({words[:80]})."))
            continue
        _add_hailo(read, place, name, rate, figures.get("hw_latency"), figures.get("average_power"), figures.get("fps"))
    return read


def _add_hailo(
    read: MeasuredFile, place: str, network: str, rate: float | None, latency_ms: float | None, power_w: float | None,
    rate_of_power: float | None,
) -> None:  # fmt: skip
    """Add the values of a network; the pipeline gives results faster than 1 / latency."""
    about: dict[str, Any] = {"network": network, "unit": "npu", "runtime": "HailoRT"}
    if rate is not None:
        words = "frames per second of the pipeline, without the host"
        read.values.append(MeasuredValue(place, "throughput", rate, statistic=words, **about))
    if latency_ms is not None:
        words = "mean of one frame on the device"
        read.values.append(MeasuredValue(place, "latency", latency_ms / 1e3, statistic=words, **about))
    if power_w is not None and rate_of_power is not None:
        words = "derived: mean power while streaming over frames per second"
        read.values.append(MeasuredValue(place, "energy", power_w / rate_of_power, statistic=words, **about))


def _mlperf_tiny(text: str) -> MeasuredFile:
    read = MeasuredFile("MLPerf Tiny results")
    rate = _figure(rf"Median throughput is\s+{_NUMBER}\s+inf\./sec", text, "Median throughput")
    rates = [positive(each, "Throughput") for each in re.findall(rf"Throughput\s+:\s+{_NUMBER}\s+inf\./sec", text)]
    words = "derived: 1 / median throughput, one inference after another"
    if rate is None and rates:
        rate, words = median(rates), f"derived: 1 / median throughput of {many(len(rates), 'trial')}"
    energy = _figure(rf"Median energy cost is\s+{_NUMBER}\s+uJ/inf", text, "Median energy cost")
    if rate is not None:
        read.values.append(MeasuredValue("Median throughput", "latency", 1 / rate, statistic=words))
    if energy is not None:
        read.values.append(
            MeasuredValue("Median energy cost", "energy", energy / 1e6, statistic="median per inference")
        )
    return read


# Text that only this tool writes -> its reader.
_READERS: dict[str, Callable[[str], MeasuredFile]] = {
    r"Inference timings in us": _litert,
    r"=== Performance summary ===": _trtexec,
    r"Total (Operator Elapsed.*?|)Time\(us\):": _rknn,
    r"\(hw_only\)|Power in streaming mode": _hailo,
    rf"^{_HAILO_HEAD}": _hailo_csv,
    r"ulp-mlperf|inf\./sec|uJ/inf": _mlperf_tiny,
}
