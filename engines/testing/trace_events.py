"""A check of Chrome traces by the rules of Perfetto's importer: times in whole nanoseconds, nested slices per thread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

_METADATA = {"process_name": "name", "thread_name": "name", "thread_sort_index": "sort_index"}
_REQUIRED = {
    "M": {"name", "pid", "tid", "args"},
    "X": {"name", "cat", "pid", "tid", "ts", "dur", "args"},
    "s": {"name", "cat", "pid", "tid", "ts", "id"},
    "f": {"name", "cat", "pid", "tid", "ts", "id", "bp"},
}


def nanoseconds(microseconds: float) -> int:
    """Return a `ts` or `dur` in whole nanoseconds, cut off like in Perfetto's `CoerceToTs`."""
    return int(microseconds * 1000.0)


def check_trace(trace: Mapping[str, Any]) -> None:
    """Raise AssertionError if an event lacks a field of its phase, or slices of a thread overlap without nesting."""
    assert trace["displayTimeUnit"] in ("ms", "ns") and isinstance(trace["otherData"], Mapping)
    events = trace["traceEvents"]
    for event in events:
        assert set(event) == {"ph", *_REQUIRED[event["ph"]]}, event
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
        assert isinstance(event["name"], str) and event["name"], event
        if event["ph"] == "M":
            assert _METADATA[event["name"]] in event["args"], event
        else:
            assert event["ts"] >= 0 and event.get("dur", 0) >= 0, event
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    assert {event["tid"] for event in events} - named <= {0}, "threads without a name"
    slices = _slices(events)
    for thread, found in slices.items():
        _check_nesting(thread, found)
    _check_flows(events, slices)


def _slices(events: list[dict[str, Any]]) -> dict[int, list[tuple[int, int]]]:
    """Return thread -> (begin, end) of its slices in nanoseconds, in the order of the importer."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            start = nanoseconds(event["ts"])
            found[event["tid"]].append((start, start + nanoseconds(event["dur"])))
    return {thread: sorted(each, key=lambda times: times[0]) for thread, each in found.items()}


def _check_nesting(thread: int, slices: list[tuple[int, int]]) -> None:
    stack: list[int] = []
    for start, end in slices:
        while stack and stack[-1] <= start:
            stack.pop()
        assert not stack or end <= stack[-1], f"thread {thread}: slice {start}..{end} ns leaves the one around it"
        stack.append(end)


def _check_flows(events: list[dict[str, Any]], slices: Mapping[int, list[tuple[int, int]]]) -> None:
    flows: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            flows[event["id"]].append(event)
            at = nanoseconds(event["ts"])
            around = [each for each in slices[event["tid"]] if each[0] <= at < max(each[1], each[0] + 1)]
            assert around, f"an arrow at {at} ns of thread {event['tid']} has no slice around it"
    for number, pair in flows.items():
        assert [event["ph"] for event in pair] == ["s", "f"], f"arrow {number}"
