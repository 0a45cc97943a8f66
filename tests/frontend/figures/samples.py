"""Results as an engine would give them: four models on nine chiplets in five windows, pipelined sample by sample."""

from __future__ import annotations

import dataclasses

import numpy as np
import plotly.graph_objects as go

from engines.contract.quantities import Quantity
from engines.contract.results import (
    Band,
    Breakdown,
    ChipletGrid,
    Curve,
    Distribution,
    Event,
    GridChiplet,
    GridWindow,
    GroundCircle,
    GroundLine,
    GroundTrack,
    Lane,
    LayerGraph,
    LayerNode,
    LinkLoad,
    Matrix,
    NetworkLink,
    NetworkNode,
    NetworkPackets,
    NetworkPicture,
    Note,
    Placement,
    Schedule,
    ScheduleWindow,
    Sensitivity,
    Series,
    Table,
    TableColumn,
    Threshold,
    Trace,
)
from engines.documents import families
from engines.documents.builtin import builtin_documents
from frontend.figures.front.front_parts import Cloud
from hardware.soc.loader import builtin_socs, load_soc

MODELS = ("GPT-L", "BERT-L", "U-Net", "ResNet-50")
BATCH = (8, 24, 1, 32)
# window -> (model, path of chiplets, last layer of each part, milliseconds per sample of each part)
WINDOWS = (
    (
        (3, (0,), (42,), (13.7,)),
        (2, (2, 1), (10, 22), (283.0, 142.0)),
        (1, (3, 6), (6, 13), (15.2, 15.1)),
        (0, (5, 8), (12, 26), (44.0, 47.0)),
    ),
    (
        (3, (0,), (53,), (3.2,)),
        (0, (2, 1, 4, 3), (30, 40, 50, 53), (13.5, 16.6, 16.4, 11.0)),
        (1, (6, 7, 8, 5), (16, 21, 24, 27), (6.5, 5.5, 6.6, 6.4)),
    ),
    (
        (0, (8, 7, 6, 3), (57, 65, 69, 73), (13.7, 13.5, 13.6, 13.5)),
        (0, (4,), (80,), (13.0,)),
        (1, (5, 2, 1, 0), (29, 32, 38, 41), (4.2, 6.4, 6.7, 5.1)),
    ),
    (
        (0, (3, 6, 8, 4), (83, 87, 97, 107), (10.2, 13.5, 16.7, 16.7)),
        (1, (0, 1, 2, 5, 7), (42, 47, 50, 53, 55), (2.2, 5.4, 6.5, 6.5, 6.6)),
    ),
    (
        (0, (4,), (108,), (16.2,)),
        (1, (8, 7, 6, 3, 0, 1, 2, 5), (57, 59, 61, 63, 65, 67, 69, 71), (4.1, 4.2, 4.2, 4.2, 4.3, 4.2, 4.2, 4.6)),
    ),
)
DATAFLOWS = ("nvdla", "shi-diannao", "nvdla") * 3


def _parts(window, first):
    for model, path, lasts, times_ms in window:
        for stage, (chiplet, last, time_ms) in enumerate(zip(path, lasts, times_ms, strict=True)):
            yield model, stage, len(path), chiplet, first[model], last, time_ms / 1e3
            first[model] = last + 1


def sample_schedule(windows=WINDOWS) -> Schedule:
    bars, labels, bounds, start_s, first = [], [], [], 0.0, [0] * len(MODELS)
    busy = np.zeros(9)
    for number, window in enumerate(windows):
        end_s, ready = start_s, {}
        for model, stage, _, chiplet, low, high, time_s in _parts(window, first):
            free, done = start_s, []
            for sample in range(BATCH[model]):
                begin = max(free, ready[model][sample] if stage else start_s)
                free = begin + time_s
                done.append(free)
                bars.append((chiplet, begin, free, model, len(labels), number, sample))
            ready[model] = done
            busy[chiplet] += BATCH[model] * time_s
            labels.append(f"{MODELS[model]} layers {low}-{high}" if high > low else f"{MODELS[model]} layer {low}")
            end_s = max(end_s, free)
        bounds.append(ScheduleWindow(f"Window {number + 1}", start_s, end_s))
        start_s = end_s
    columns = list(zip(*bars, strict=True))
    return Schedule(
        name="schedule",
        title="Schedule",
        lanes=tuple(Lane(f"C{i}", f"C{i}", DATAFLOWS[i], float(busy[i] / start_s)) for i in range(9)),
        windows=tuple(bounds),
        models=MODELS,
        kinds=("compute", "transfer", "wait"),
        labels=tuple(labels),
        bar_lane=np.array(columns[0], np.int64),
        bar_start_s=np.array(columns[1]),
        bar_end_s=np.array(columns[2]),
        bar_kind=np.zeros(len(bars), np.int64),
        bar_model=np.array(columns[3], np.int64),
        bar_label=np.array(columns[4], np.int64),
        bar_window=np.array(columns[5], np.int64),
        bar_sample=np.array(columns[6], np.int64),
    )


def _route(source: int, target: int) -> list[tuple[str, str]]:
    """XY: along the row first."""
    links, at = [], source
    while at != target:
        step = (1 if target % 3 > at % 3 else -1) if at % 3 != target % 3 else (3 if target > at else -3)
        links.append((f"C{at}", f"C{at + step}"))
        at += step
    return links


def sample_grid() -> ChipletGrid:
    schedule, first, windows = sample_schedule(), [0] * len(MODELS), []
    for number, window in enumerate(WINDOWS):
        bounds = schedule.windows[number]
        loads: dict[tuple[str, str], float] = {}
        placements, previous = [], {}
        for model, stage, stages, chiplet, low, high, time_s in _parts(window, first):
            busy = BATCH[model] * time_s / (bounds.end_s - bounds.start_s)
            placements.append(Placement(chiplet, MODELS[model], stage, stages, low, high, busy))
            row, size = chiplet // 3, 3.0e6 * (high - low + 1)
            inwards = (
                [(f"DRAM left {row}", f"C{row * 3}")] if chiplet % 3 < 2 else [(f"DRAM right {row}", f"C{chiplet}")]
            )
            inwards += [(f"C{row * 3}", f"C{chiplet}")] if chiplet % 3 == 1 else []
            hops = _route(previous[model], chiplet) if model in previous else []
            for link in inwards:
                loads[link] = loads.get(link, 0.0) + size
            for link in hops:
                loads[link] = loads.get(link, 0.0) + 0.2e6 * BATCH[model]
            if stage + 1 == stages and model == 3:
                loads[f"C{chiplet}", f"DRAM left {row}"] = 1.0e6
            previous[model] = chiplet
        links = tuple(LinkLoad(a, b, size) for (a, b), size in loads.items())
        windows.append(
            GridWindow(bounds.title, bounds.start_s, bounds.end_s - bounds.start_s, tuple(placements), links)
        )
    chiplets = tuple(GridChiplet(i, i // 3, i % 3, DATAFLOWS[i], 4096, i % 3 != 1) for i in range(9))
    nodes = tuple(f"DRAM {side} {row}" for side in ("left", "right") for row in range(3))
    return ChipletGrid("grid", "Chiplet grid", 3, 3, chiplets, MODELS, tuple(windows), nodes)


LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
ENERGY = Quantity("energy_j", "Energy", "J", "minimise", "objective")


def sample_cloud(count: int = 4200, seed: int = 7) -> Cloud:
    random = np.random.default_rng(seed)
    x = 1.09 + random.beta(1.4, 3.2, count) * 1.05
    floor = 4.25 + 0.13 * np.exp(-(x - 1.09) / 0.28)
    y = floor + random.gamma(2.0, 0.018, count) * np.clip(1.6 - 0.6 * (x - 1.09), 0.4, None)
    baselines = {
        "Simba NVDLA": (1.7361, 4.2377),
        "Simba Shi-diannao": (1.6370, 4.6267),
        "Standalone NVDLA": (3.74, 4.21),
        "Standalone Shi-diannao": (1.8661, 4.6264),
    }
    values = np.array(list(baselines.values()))
    return Cloud(
        LATENCY,
        ENERGY,
        np.concatenate([values[:, 0], x]),
        np.concatenate([values[:, 1], y]),
        np.arange(count + 4),
        np.arange(count + 4) < 4,
        [*baselines, *[""] * count],
    )


TIME = np.linspace(0, 7200, 300)
# One of each type.
RESULTS = (
    sample_grid(),
    sample_schedule(),
    Trace(
        "trace",
        "Power",
        TIME,
        (
            Series("adaptive", 30 + np.sin(TIME), "W", 28 + np.sin(TIME), 32 + np.sin(TIME)),
            Series("static", np.full(300, 11.0), "W"),
            Series("battery", np.linspace(1, 0.1, 300), ""),
        ),
        (Threshold("budget", 32.0, "W"),),
        (Event(360.0, "switch"),),
        (Band(0.0, 3600.0, "calm"), Band(3600.0, 7200.0, "windy")),
    ),
    Curve(
        "curve",
        "Energy",
        np.arange(1.0, 20),
        "Distance",
        "m",
        (Series("eager", np.arange(19.0), "J"), Series("late", np.ones(19), "s")),
        True,
    ),
    Table("table", "Totals", (TableColumn("Name", ("a", "b")), TableColumn("Latency", np.array([0.001, np.nan]), "s"))),
    Matrix(
        "matrix",
        "Load",
        ("r1", "r2"),
        ("c1", "c2", "c3"),
        np.array([[1e6, 2e6, np.nan], [3e6, 4e6, 5e6]]),
        "B",
        "Bytes",
    ),
    Breakdown("parts", "Energy", ("m1", "m2"), ("compute", "move"), np.array([[1.0, 0.5], [0.25, 0.1]]), "J"),
    Distribution("spread", "Latency", np.array([0.1, 0.2, 0.2, np.nan, 0.4]), "s"),
    LayerGraph(
        "graph",
        "Layers",
        tuple(LayerNode(str(i), f"conv {i}", "g" if i % 2 else "", (("MACs", 1e9, "MAC"),)) for i in range(20)),
        tuple((str(i), str(i + 1)) for i in range(19)),
    ),
    GroundTrack(
        "road",
        "Road",
        np.linspace(0, 9, 10),
        np.linspace(0, 100, 10),
        np.sin(np.arange(10.0)),
        np.cos(np.arange(10.0)),
        (GroundCircle("Obstacle 1", 40.0, 0.0, 0.4), GroundCircle("rbar", 40.0, 0.0, 4.0, "keep out")),
        (
            GroundLine("Lane", np.array([0.0, 100.0]), np.zeros(2)),
            GroundLine("Barrier", np.array([36.0, 40.0, np.nan]), np.array([0.0, 4.0, np.nan]), "limit"),
        ),
    ),
    NetworkPicture(
        "net",
        "Package",
        (
            NetworkNode("A", "new", 0.0, 0.0, 1.0, 1.0, "npu"),
            NetworkNode("Hub", "Crossbar", 2.0, 0.0, 1.0, 1.0, "dram"),
        ),
        (
            NetworkLink("A to hub", (0.5, 1.5), (0.0, 0.0)),
            NetworkLink("Hub to A", (1.5, 1.0, 1.0, 0.5), (0.2, 0.2, 0.3, 0.3)),
        ),
        ("Direct", "Buffer"),
        np.array([[0.5, 0.0], [1.0, 0.01]]),
        (
            NetworkPackets(np.zeros(1), np.full(1, 1e-6), np.zeros(1, np.int64), np.zeros(1, np.int64)),
            NetworkPackets(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)),
        ),
        ((0,), (0, 1)),
        ("Playback",),
        2e-6,
    ),
    Sensitivity(
        "swings",
        "What a fifth does",
        "Cost",
        "USD",
        10.0,
        ("28nm: Defects", "Test: Die"),
        ("1/m²", "USD/mm²"),
        np.array([1600.0, 0.8]),
        np.array([2000.0, 1.0]),
        np.array([2400.0, 1.2]),
        np.array([8.0, 10.0]),
        np.array([13.0, 9.5]),
    ),
    Note("note", "Remark", "Buffers are exceeded.", "warning"),
)


VALUES = [families.load(document.content, "hardware") for document in builtin_documents("hardware").values()]


def words_of(figure: go.Figure) -> str:
    return " | ".join(str(text) for trace in figure.data if trace.mode == "text" for text in trace.text)


def schedule_of(bars, kinds=("compute", "transfer"), labels=("A layers 0-4",), lanes=2) -> Schedule:
    """Bars are (lane, start, end, kind, label, sample), all of model A in window 0."""
    lane, start, end, kind, label, sample = (np.array(column) for column in zip(*bars, strict=True))
    zeros = np.zeros(len(bars), np.int64)
    return Schedule(
        "schedule", "Schedule", tuple(Lane(f"C{i}", f"C{i}", "nvdla", 0.5) for i in range(lanes)), (), ("A",), kinds, labels,
        lane, start.astype(float), end.astype(float), kind, zeros, label, zeros, sample,
    )  # fmt: skip


def words(figure: go.Figure) -> list[str]:
    return [text for trace in figure.data if trace.type == "scatter" and trace.mode == "text" for text in trace.text]


def blocks(figure: go.Figure) -> list[tuple[float, float]]:
    x = np.concatenate([np.append(t.x, np.nan) for t in figure.data if t.name == "blocks"])
    return [(float(part[0]), float(part[1])) for part in np.split(x, np.arange(6, len(x), 6))]


def units_of(bars, labels, **more) -> Schedule:
    """The same on two units of a chip, in one window with a title."""
    lanes = (Lane("gpu", "GPU", "gpu", 0.4), Lane("dla", "DLA", "dla", 0.6))
    window = ScheduleWindow("One inference", 0.0, max(bar[2] for bar in bars))
    return dataclasses.replace(schedule_of(bars, labels=labels), lanes=lanes, windows=(window,), **more)


SOCS = {slug: load_soc(content) for slug, content in builtin_socs().items()}
