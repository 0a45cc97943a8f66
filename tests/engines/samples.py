"""One result of every type, with everything in it that could get lost on the way to storage and back."""

import numpy as np

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
    Result,
    Schedule,
    ScheduleWindow,
    Sensitivity,
    Series,
    Table,
    TableColumn,
    Threshold,
    Trace,
)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def two_lane_schedule() -> Schedule:
    """Two chiplets: a segment of model "a" in two samples, then one of "b" that waits for the second sample."""
    return Schedule(
        name="schedule",
        title="Package",
        lanes=(Lane("C0", "Chiplet 0", "nvdla", 0.8), Lane("C1", "Chiplet 1", "shi-diannao", 0.2)),
        windows=(ScheduleWindow("Window 1", 0.0, 3e-6),),
        models=("a", "b"),
        kinds=("compute", "transfer"),
        labels=("a 0-3", "b 0-1"),
        bar_lane=ints(0, 0, 1),
        bar_start_s=np.array([0.0, 1e-6, 2e-6]),
        bar_end_s=np.array([1e-6, 2e-6, 3e-6]),
        bar_kind=ints(0, 0, 1),
        bar_model=ints(0, 0, -1),
        bar_label=ints(0, 0, 1),
        bar_window=ints(0, 0, 0),
        bar_sample=ints(0, 1, -1),
        dependency_from=ints(1),
        dependency_to=ints(2),
    )


def grid() -> ChipletGrid:
    return ChipletGrid(
        name="grid",
        title="Grid",
        rows=1,
        columns=2,
        chiplets=(GridChiplet(0, 0, 0, "nvdla", 4096, True), GridChiplet(1, 0, 1, "shi-diannao", 256, False)),
        models=("a",),
        windows=(
            GridWindow("Window 1", 0.0, 1.0, (Placement(0, "a", 0, 1, 0, 3, 0.5),), (LinkLoad("C0", "C1", 1e9),)),
        ),
        memory_nodes=("DRAM left 0",),
    )


SAMPLES: tuple[Result, ...] = (
    grid(),
    NetworkPicture(
        "net", "Package", (NetworkNode("A", "new", 0.0, 0.0, 1.0, 1.0, "npu"), NetworkNode("Hub", "", 2.0, 0.0, 1.0, 1.0, "dram")),
        (NetworkLink("A to hub", (0.5, 1.5), (0.0, 0.0)),), ("Direct", "Buffer"), np.array([[0.5], [np.nan]]),
        tuple(NetworkPackets(np.zeros(1), np.ones(1), np.zeros(1, np.int64), np.zeros(1, np.int64)) for _ in range(2)),
        ((0,),), ("Playback",), 1.0,
    ),
    two_lane_schedule(),
    Trace(
        "trace", "Trace", np.array([0.0, 1.0]), (Series("Charge", np.array([1.0, np.nan]), "J", np.zeros(2), np.ones(2)),),
        (Threshold("Empty", -np.inf, "J"),), (Event(0.5, "Dusk"),), (Band(0.0, 1.0, "Day"),),
    ),
    GroundTrack(
        "road", "Road", np.array([0.0, 1.0]), np.array([0.0, 11.0]), np.array([0.0, np.nan]), np.zeros(2),
        (GroundCircle("Obstacle 1", 40.0, 0.0, 0.4),), (GroundLine("Lane", np.array([0.0, 100.0]), np.zeros(2)),),
    ),
    Curve("curve", "Curve", np.array([1.0, 10.0]), "Batch", "", (Series("a", np.array([1.0, 2.0]), "s"),), x_log=True),
    Table("table", "Table", (TableColumn("Name", ("x", "y")), TableColumn("Size", np.array([1.0, np.nan]), "B"))),
    Matrix("matrix", "Matrix", ("r1", "r2"), ("c1",), np.array([[1.0], [np.inf]]), "s", "Latency"),
    Breakdown("parts", "Parts", ("one",), ("p", "q"), np.array([[1.0, 2.0]]), "J"),
    Sensitivity(
        "swings", "What a fifth does", "Cost", "USD", 10.0, ("28nm: Defects", "Test: Die"), ("1/m²", "USD/mm²"),
        np.array([1600.0, 0.8]), np.array([2000.0, 1.0]), np.array([2400.0, 1.2]), np.array([8.0, 10.0]), np.array([13.0, 9.5]),
    ),
    Distribution("samples", "Samples", np.empty(0), "s"),
    LayerGraph(
        "graph", "Graph", (LayerNode("1", "conv", "a", (("MACs", 1e9, ""), ("Size", 5.0, "B"))), LayerNode("2", "fc")),
        (("1", "2"),),
    ),
    Note("note", "Note", "Grüße, \"quoted\"\nand more", "warning"),
)  # fmt: skip
