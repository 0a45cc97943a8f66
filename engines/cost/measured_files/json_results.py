"""Results that tools write as JSON or YAML.

Formats:
- Qualcomm AI Hub, `ProfileJob.download_profile`: `execution_summary` with `all_inference_times` and `estimated_inference_time`
  in microseconds, `execution_detail` with the compute unit of each layer.
- Qualcomm AI Hub Models, `perf.yaml`: precisions -> components -> performance_metrics -> device -> runtime -> figures.
- TensorRT, `trtexec --exportTimes`: a list of inferences with `computeMs`, or its begin and end, and `latencyMs`.
- onnxruntime, `enable_profiling`: events; `model_run` in microseconds is the whole network.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.cost.measured_files.value import (
    MeasuredFile,
    MeasuredValue,
    RefusedValue,
    RefusedValueError,
    positive,
    precision_of,
)

_TIMED = ("averageMs", "medianMs", "timeMs")


def read_ai_hub_profile(content: Mapping[str, Any]) -> MeasuredFile:
    """Return the median inference of a profile job, on the unit with the most layers.

    Raises:
        ProblemError: it has no time.
    """
    summary, layers = content["execution_summary"], content.get("execution_detail", [])
    if not isinstance(summary, Mapping) or not isinstance(layers, list):
        raise ProblemError("execution_summary", type(summary).__name__, "a mapping, with a list execution_detail")
    times = summary.get("all_inference_times") or []
    if isinstance(times, list) and times:
        seconds = median(positive(each, "execution_summary.all_inference_times") for each in times) / 1e6
        statistic = f"median of {many(len(times), 'inference')}"
    else:
        seconds = positive(summary.get("estimated_inference_time"), "execution_summary.estimated_inference_time") / 1e6
        statistic = "estimated inference time"
    units = Counter(str(each.get("compute_unit", "")).lower() for each in layers if isinstance(each, Mapping))
    unit, count = units.most_common(1)[0] if units else ("", 0)
    if count < len(layers):
        statistic += f", {count} of {len(layers)} layers on {unit}"
    timed = any(isinstance(each, Mapping) and each.get("execution_time") for each in layers)
    value = MeasuredValue("execution_summary", "latency", seconds, unit=unit, statistic=statistic)
    return MeasuredFile("AI Hub profile job", [value], operators=timed)


def read_perf_yaml(content: Mapping[str, Any]) -> MeasuredFile:
    """Return a value per precision, component, device and runtime; language models' figures are refused."""
    read = MeasuredFile("AI Hub Models, perf.yaml")
    for path, figures in _leaves(content["precisions"]):
        precision, component, device, runtime = path
        place = f"precisions.{precision}.components.{component}.{device}.{runtime}"
        unit = str(figures.get("primary_compute_unit") or "").lower()
        versions = figures.get("tool_versions") or {}
        version = ", ".join(f"{k} {v}" for k, v in versions.items()) if isinstance(versions, Mapping) else ""
        try:
            found = figures.get("inference_time_milliseconds")
            if found is None:
                raise RefusedValueError("It has no inference_time_milliseconds: a language model, or a failed job.")
            seconds = positive(found, "inference_time_milliseconds") / 1e3
            bits = precision_of(precision, unit)
        except (RefusedValueError, ProblemError) as error:
            read.refused.append(RefusedValue(place, component, str(error)))
            continue
        read.values.append(
            MeasuredValue(place, "latency", seconds, device, component, unit, runtime, version, bits,
                          statistic="profile job, one inference after another")
        )  # fmt: skip
    return read


def _leaves(precisions: Any) -> Iterator[tuple[tuple[str, str, str, str], Mapping[str, Any]]]:
    """Yield path and figures of each entry.

    Raises:
        ProblemError: a level of it is no mapping.
    """
    for precision, each in _mapping(precisions, "precisions"):
        for component, details in _mapping(each.get("components"), f"precisions.{precision}.components"):
            place = f"precisions.{precision}.components.{component}.performance_metrics"
            for device, runtimes in _mapping(details.get("performance_metrics"), place):
                for runtime, figures in _mapping(runtimes, f"{place}.{device}"):
                    yield (precision, component, device, runtime), figures


def _mapping(value: Any, place: str) -> list[tuple[str, Mapping[str, Any]]]:
    if not isinstance(value, Mapping) or not all(isinstance(each, Mapping) for each in value.values()):
        raise ProblemError(place, type(value).__name__, "a mapping of mappings, as perf.yaml has")
    return list(value.items())


def read_list(entries: Sequence[Any]) -> MeasuredFile:
    """Return the whole network's time in a list of events of onnxruntime or of inferences of trtexec.

    Raises:
        ProblemError: it is neither, or has operators alone.
    """
    events = [each for each in entries if isinstance(each, Mapping)]
    if any("ph" in each for each in events):
        return _onnxruntime(events)
    if any(key in each for each in events for key in ("computeMs", "startComputeMs", "latencyMs")):
        return _trtexec_times(events)
    if any(key in each for each in events for key in _TIMED):
        raise ProblemError(
            "file", "times of layers alone", "a file with the time of the whole network",
            remedies=["Use the page Calibrate with your measurements for a profile of layers."],
        )  # fmt: skip
    raise ProblemError("file", "a list", "JSON of AI Hub, of trtexec --exportTimes or of onnxruntime's profiler")


def _onnxruntime(events: Sequence[Mapping[str, Any]]) -> MeasuredFile:
    """Return the median of the runs; the first, which prepares kernels, does not count where there are more."""
    runs = [
        positive(each.get("dur"), "model_run.dur")
        for each in events
        if each.get("name") == "model_run" and each.get("cat") == "Session"
    ]
    if not runs:
        raise ProblemError("file", "no event model_run", "a profile of a whole session, with its events model_run")
    counted = runs[1:] or runs
    words = f"median of {many(len(counted), 'run')}, with the profiler"
    value = MeasuredValue("model_run", "latency", median(counted) / 1e6, runtime="onnxruntime", statistic=words)
    return MeasuredFile("onnxruntime profile", [value], operators=True)


def _trtexec_times(events: Sequence[Mapping[str, Any]]) -> MeasuredFile:
    """Return the median time of computing, without copies where the file tells it."""
    compute = [_compute_ms(each) for each in events]
    alone = all(each is not None for each in compute)
    times = compute if alone else [each.get("latencyMs") for each in events]
    seconds = median(positive(each, f"{number}.latencyMs") for number, each in enumerate(times)) / 1e3
    words = f"median of {many(len(times), 'inference')}, {'without' if alone else 'with'} copies of inputs and results"
    value = MeasuredValue("computeMs", "latency", seconds, unit="gpu", runtime="TensorRT", statistic=words)
    return MeasuredFile("trtexec --exportTimes", [value])


def _compute_ms(event: Mapping[str, Any]) -> float | None:
    begin, end = event.get("startComputeMs"), event.get("endComputeMs")
    if "computeMs" in event:
        return positive(event["computeMs"], "computeMs")
    if begin is None or end is None:
        return None
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in (begin, end)):
        raise ProblemError("startComputeMs", begin, "a number of milliseconds")
    return positive(end - begin, "endComputeMs")
