"""A frame of every chain under the three data flows, one after the other on the axis of time."""

from __future__ import annotations

from collections.abc import Mapping

from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.contract.schedules import Bar, busy_shares, schedule_of
from engines.methods.neksus.dataflow import ChainTiming, Traffic
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.params import FLOWS

_COMPUTE, _TRANSFER = range(2)
_GAP = 1.05
_WORDS = (
    ", ".join(f"W{number} {words.lower()}" for number, words in enumerate(FLOWS.values(), 1)) + "; one bar is one frame"
)


def flow_schedule(instance: NeksusInstance, flows: Mapping[str, Traffic]) -> Schedule:
    """Return the blocks that compute, and the network that hands frames on; all chains start with their window."""
    lanes: list[tuple[str, str, str]] = []
    first: list[int] = []
    for chain in instance.chains:
        first.append(len(lanes))
        titles = [instance.system.blocks[name].title for name in chain.blocks]
        for place, title in enumerate(titles):
            lanes.append((f"{chain.title} {title}", f"{chain.title}: {title.lower()}", "npu"))
            if place < len(titles) - 1:
                words = f"{chain.title}: network to {titles[place + 1].lower()}"
                lanes.append((words, words, "dram"))
    bars: list[Bar] = []
    windows, start = [], 0.0
    for window, (flow, traffic) in enumerate(flows.items()):
        length = max(timing.latency_s for timing in traffic.chains)
        for model, timing in enumerate(traffic.chains):
            for place, (kind, begin, end) in enumerate(_spans(timing, one_by_one=flow == "memory")):
                if end > begin:
                    label = _label(instance, timing, place // 2, kind)
                    bars.append(Bar(first[model] + place, start + begin, start + end, label, kind, model, window))
        windows.append(ScheduleWindow(FLOWS[flow], start, start + length))
        start += length * _GAP
    busy = busy_shares(bars, len(lanes), windows[-1].end_s)
    told = [Lane(*lane, float(share)) for lane, share in zip(lanes, busy, strict=True)]
    return schedule_of(
        bars, told, windows, [f"{chain.title} ({number + 1})" for number, chain in enumerate(instance.chains)],
        kinds=("compute", "transfer"), title="One frame of every chain, by data flow",
        bar_words=_WORDS,
    )  # fmt: skip


def _label(instance: NeksusInstance, timing: ChainTiming, place: int, kind: int) -> str:
    blocks = [instance.system.blocks[name].title for name in timing.chain.blocks]
    return blocks[place] if kind == _COMPUTE else f"{blocks[place]} to {blocks[place + 1].lower()}"


def _spans(timing: ChainTiming, *, one_by_one: bool) -> list[tuple[int, float, float]]:
    """Return kind, begin and end of block, transfer, block, ...; blocks in a pipeline end one piece after each other."""
    found, now = [], 0.0
    count = len(timing.compute_s)
    if one_by_one:
        for place in range(count):
            active = float(timing.active_s[place])
            found.append((_COMPUTE, now, now + active))
            if place < count - 1:
                found.append((_TRANSFER, now + active - timing.leg_s[place][0], now + active + timing.leg_s[place][-1]))
            now += active
        return found
    # All stages take as long as the slowest one; each begins a piece after the one before.
    slowest = max(float(timing.compute_s.max()), float(timing.transfer_s.max()))
    step = (timing.latency_s - slowest) / (2 * count - 2)
    stages = range(2 * count - 1)
    return [(_TRANSFER if place % 2 else _COMPUTE, place * step, place * step + slowest) for place in stages]
