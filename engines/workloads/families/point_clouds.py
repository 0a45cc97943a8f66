"""Object detection in point clouds by pillars: PointPillars and CenterPoint.

Source: Lang et al. 2019 (PointPillars), Yin et al. 2021 (CenterPoint); open-mmlab/mmdetection3d (Apache-2.0), configurations
pointpillars_hv_secfpn kitti-3d-3class and centerpoint_pillar02_second_secfpn nus-3d. The grouping of points into pillars and the
choice of boxes are left out. Pillars are as many as the largest number that the networks take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row

_PILLAR_WIDTH = 64
_DEPTHS, _WIDTHS = (3, 5, 5), (64, 128, 256)
_FINE_WIDTH = 128


@dataclass(frozen=True)
class PillarShape:
    """The pillars of a cloud.

    Attributes:
        pillars, points: the largest number of pillars, and of points in each.
        features: features of a point.
        sides: pillars along height and width of the map.
    """

    pillars: int
    points: int
    features: int
    sides: tuple[int, int]


def point_pillars(shape: PillarShape) -> list[Row]:
    """Return PointPillars with three classes: two anchors of each at every place, seven sizes and two directions of each."""
    drawing = Drawing((shape.features, shape.pillars * shape.points, 1))
    _draw_pillars(drawing, shape)
    joined = draw_backbone(drawing, _DEPTHS, _WIDTHS, (1, 2, 4), _FINE_WIDTH)
    results = []
    for name, channels in (("classes", 18), ("boxes", 42), ("directions", 12)):
        drawing.branch(joined)
        drawing.conv(name, channels, norm=False, act=False)
        results.append(drawing.feature)
    drawing.join("outputs", *results)
    return drawing.rows


def center_point(shape: PillarShape, tasks: Sequence[int]) -> list[Row]:
    """Return CenterPoint; `tasks` are the classes of each group that has a heat map and boxes of its own."""
    drawing = Drawing((shape.features, shape.pillars * shape.points, 1))
    _draw_pillars(drawing, shape)
    draw_backbone(drawing, _DEPTHS, _WIDTHS, (0.5, 1, 2), _FINE_WIDTH)
    drawing.conv("shared", 64, 3, bias=True)
    shared, results = drawing.feature, []
    boxes = {"offset": 2, "height": 1, "size": 3, "rotation": 2, "velocity": 2}
    for task, classes in enumerate(tasks):
        heads: Mapping[str, int] = {**boxes, "heat": classes}
        for name, channels in heads.items():
            drawing.branch(shared)
            drawing.conv(f"task{task}.{name}.1", 64, 3, bias=True)
            drawing.conv(f"task{task}.{name}.2", channels, 3, norm=False, act=False)
            results.append(drawing.feature)
    drawing.join("outputs", *results)
    return drawing.rows


def _draw_pillars(drawing: Drawing, shape: PillarShape) -> None:
    """Add a linear layer over every point, the maximum over the points of a pillar, and the map of all pillars."""
    drawing.linear("pillars", _PILLAR_WIDTH, bias=False)
    drawing.norm("pillars.norm", kind="batchnorm")
    drawing.act("pillars.act")
    elements = shape.pillars * _PILLAR_WIDTH
    drawing.moved("pillars.maximum", "pool", written=elements)
    drawing.shape = (_PILLAR_WIDTH, *shape.sides)
    drawing.moved("pillars.scatter", "gather", read=elements)


def draw_backbone(
    drawing: Drawing, depths: Sequence[int], widths: Sequence[int], factors: Sequence[float], joined: int
) -> Feature:
    """Add stages of convolutions, each of which halves the sides, and join their maps, `joined` channels of each.

    Args:
        drawing: that gives out the map of all pillars.
        depths: convolutions of each stage after the one that halves.
        widths: channels of each stage.
        factors: by which the sides of each map grow (below 1: shrink) before they are joined.
        joined: channels of each map when joined.
    """
    maps: list[Feature] = []
    for stage, (depth, width) in enumerate(zip(depths, widths, strict=True)):
        for index in range(depth + 1):
            drawing.conv(f"stage{stage}.{index}", width, 3, stride=1 if index else 2)
        maps.append(drawing.feature)
    finer: list[Feature] = []
    for stage, (each, factor) in enumerate(zip(maps, factors, strict=True)):
        drawing.branch(each)
        draw_scaled(drawing, f"joined{stage}", joined, factor)
        finer.append(drawing.feature)
    drawing.join("joined", *finer)
    return drawing.feature


def draw_scaled(drawing: Drawing, name: str, channels: int, factor: float) -> None:
    """Add a convolution, transposed where `factor` is above 1, that scales the sides by the factor."""
    if factor <= 1:
        kernel = round(1 / factor)
        drawing.conv(name, channels, kernel, stride=kernel, pad=0)
        return
    drawing.transposed_conv(name, channels, round(factor), stride=round(factor), bias=False)
    drawing.norm(f"{name}:norm", kind="batchnorm")
    drawing.act(f"{name}:act")


_TASKS = (1, 2, 2, 1, 2, 2)  # of the ten classes of nuScenes


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    source = "mmdetection3d 1.4 (Apache-2.0), configuration {}; drawn from the definition"
    shape = PillarShape(12_000, 100, 9, (496, 432))
    summary = "Object detection in 3D: a point cloud of KITTI as 12,000 pillars of 100 points, three classes."
    name, title = "pointpillars_hv_secfpn_8xb6-160e_kitti-3d-3class", "PointPillars, 12,000 pillars"
    draw = partial(point_pillars, shape)
    yield drawn_network("pointpillars", title, "PointPillars", summary, source.format(name), draw)
    shape = PillarShape(30_000, 20, 10, (512, 512))
    summary = "Object detection in 3D: a point cloud of nuScenes as 30,000 pillars of 20 points, ten classes."
    name, title = (
        "centerpoint_pillar02_second_secfpn_8xb4-cyclic-20e_nus-3d",
        "CenterPoint with pillars, 30,000 pillars",
    )
    draw = partial(center_point, shape, _TASKS)
    yield drawn_network("centerpoint-pillar", title, "CenterPoint", summary, source.format(name), draw)
