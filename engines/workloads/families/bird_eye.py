"""Object detection around a car from six cameras, in a map seen from above: BEVFormer-tiny, and BEVFusion with a map of the lidar.

Sources: Li et al. 2022 (BEVFormer) and configuration bevformer_tiny of mlcommons/mlperf_automotive (Apache-2.0); Liu et al. 2022
(BEVFusion) and configuration transfusion swint_v0p075 convfuser of mit-han-lab/bevfusion (Apache-2.0).

- Six images are one map of six times the height.
- Sampling in deformable attention moves and weights elements and counts no products, as in `detection_transformers`.
- BEVFormer samples every place of the map in all cameras: an upper bound, because the places that a camera sees depend on the car.
- BEVFusion's encoder of the lidar consists of sparse convolutions over voxels, which no operator of a network document expresses.
  Its result, a map of 256 x 180 x 180, is an input here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engines.workloads.families.attention import Attention, CrossAttention, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.point_clouds import draw_scaled
from engines.workloads.families.residual import ResidualStages, draw_residual
from engines.workloads.network import INPUT

_CAMERAS, _CLASSES = 6, 10
_WIDTH, _HEADS, _HIDDEN = 256, 8, 512
_SIDE, _QUERIES = 50, 900
_BOX = 10
_WINDOW, _SWIN_DEPTHS, _SWIN_WIDTHS = 7, (2, 2, 6, 2), (96, 192, 384, 768)
_DEPTHS, _LIFTED, _LIDAR, _MAP_SIDE = 118, 80, 256, 180
_PROPOSALS, _FUSED_WIDTH = 200, 128


@dataclass(frozen=True)
class Sampling:
    """How queries sample places of maps: `sets` maps of `values`, `points` places of each for every one of eight heads."""

    values: Feature
    points: int
    sets: int = 1


def bevformer() -> list[Row]:
    """Return BEVFormer-tiny for six images of 480 x 800: a ResNet-50, three encoder layers and six decoder layers."""
    drawing = Drawing((3, _CAMERAS * 480, 800))
    draw_residual(drawing, ResidualStages((3, 4, 6, 3)))
    drawing.conv("neck1", _WIDTH, norm=False, act=False)
    drawing.conv("neck2", _WIDTH, 3, norm=False, act=False)
    drawing.shape = (_WIDTH, drawing.places, 1)
    drawing.moved("cameras", "eltwise", weights=(_CAMERAS + 4) * _WIDTH)  # learnt for each camera, and for four levels
    images, places = drawing.feature, _SIDE**2
    drawing.branch((INPUT, (18, 1, 1)))  # speed and pose of the car
    drawing.linear("motion.fc1", _WIDTH // 2, act=True)
    drawing.linear("motion.fc2", _WIDTH, act=True)
    drawing.norm("motion.norm")
    drawing.shape = (_WIDTH, places, 1)
    positions = 2 * _SIDE * _WIDTH // 2
    drawing.moved("map.of_token", "eltwise", read=drawing.size + _WIDTH, weights=drawing.size + positions)
    for layer in range(3):
        _encoder_layer(drawing, f"encoder{layer}", images)
    _decoder(drawing, drawing.feature)
    return drawing.rows


def _encoder_layer(drawing: Drawing, name: str, images: Feature) -> None:
    """Add attention to the map of the frame before, attention to the images, and a feed-forward part."""
    entry = drawing.feature
    width, places, _ = entry[1]
    drawing.reading(entry[0], INPUT)
    drawing.shape = (width, 2 * places, 1)
    drawing.moved(f"{name}.frames", "concat")
    frames = drawing.feature
    drawing.shape = (2 * width, places, 1)
    _deformable(drawing, f"{name}.time", drawing.feature, Sampling(frames, 4, 2), places)
    _add_and_normalise(drawing, f"{name}.1", entry)
    entry = drawing.feature
    sampling = Sampling(images, 8)
    _deformable(drawing, f"{name}.images", entry, sampling, places, repeats=_CAMERAS)
    _add_and_normalise(drawing, f"{name}.2", entry)
    entry = drawing.feature
    feed_forward(drawing, f"{name}.mlp", _HIDDEN)
    _add_and_normalise(drawing, f"{name}.3", entry)


def _deformable(
    drawing: Drawing, name: str, queries: Feature, sampling: Sampling, places: int, repeats: int = 1
) -> None:
    """Add attention to places that each query chooses itself.

    Args:
        drawing: whose result is the queries.
        name: name of the part.
        queries: what chooses, once in each of `repeats` cameras.
        sampling: from what, and how often.
        places: queries that the result has, the mean over sets and cameras.
        repeats: cameras.
    """
    samples = _HEADS * sampling.points * sampling.sets
    if repeats > 1:
        drawing.shape = (queries[1][0], places * repeats, 1)
        drawing.moved(f"{name}.cameras.gather", "gather", read=repeats * places * queries[1][0])
        queries = drawing.feature
    drawing.linear(f"{name}.offsets", 2 * samples)
    offsets = drawing.feature
    drawing.branch(queries)
    drawing.linear(f"{name}.weights", samples)
    drawing.moved(f"{name}.softmax", "softmax")
    weights = drawing.feature
    drawing.branch(sampling.values)
    drawing.linear(f"{name}.values", _WIDTH)
    values = drawing.feature
    drawing.reading(values[0], offsets[0], weights[0])
    drawing.shape = (_WIDTH, places * repeats * sampling.sets, 1)
    drawing.moved(f"{name}.gather", "gather", read=drawing.size * sampling.points)
    if repeats * sampling.sets > 1:
        drawing.moved(f"{name}.mean", "reduce", written=_WIDTH * places)
    drawing.shape = (_WIDTH, places, 1)
    drawing.linear(f"{name}.projection", _WIDTH)


def _decoder(drawing: Drawing, bird_eye: Feature) -> None:
    drawing.branch(bird_eye)
    drawing.shape = (_WIDTH, _QUERIES, 1)
    # Queries and their positions are learnt; the first row is said to read the map, so that it runs behind it.
    drawing.moved("queries.of_token", "eltwise", weights=2 * drawing.size)
    queries = drawing.feature
    drawing.linear("references", 3)
    boxes, results = drawing.feature, []
    for layer in range(6):
        name = f"decoder{layer}"
        drawing.branch(queries)
        Attention(_HEADS).draw(drawing, f"{name}.own")
        _add_and_normalise(drawing, f"{name}.1", queries)
        entry = drawing.feature
        _deformable(drawing, f"{name}.map", entry, Sampling(bird_eye, 4), _QUERIES)
        _add_and_normalise(drawing, f"{name}.2", entry)
        entry = drawing.feature
        feed_forward(drawing, f"{name}.mlp", _HIDDEN)
        _add_and_normalise(drawing, f"{name}.3", entry)
        queries = drawing.feature
        drawing.linear(f"{name}.box.fc1", _WIDTH, act=True)
        drawing.linear(f"{name}.box.fc2", _WIDTH, act=True)
        drawing.linear(f"{name}.box.fc3", _BOX)
        drawing.reading(drawing.last, boxes[0])
        drawing.moved(f"{name}.box.add.of_token", "eltwise", read=drawing.size + 3 * _QUERIES)
        boxes = drawing.feature
        drawing.branch(queries)
        for part in ("fc1", "fc2"):
            drawing.linear(f"{name}.class.{part}", _WIDTH)
            drawing.norm(f"{name}.class.{part}.norm")
            drawing.act(f"{name}.class.{part}.act")
        drawing.linear(f"{name}.class.fc3", _CLASSES)
        results += [boxes, drawing.feature]
    drawing.outputs("outputs", *results)


def _add_and_normalise(drawing: Drawing, name: str, entry: Feature) -> None:
    drawing.sum(f"{name}.add", drawing.feature, entry)
    drawing.norm(f"{name}.norm")


def bevfusion() -> list[Row]:
    """Return BEVFusion for six images of 256 x 704 and a map of the lidar: features lifted into the map, fused, and boxes."""
    drawing = Drawing((3, _CAMERAS * 256, 704))
    images = _draw_images(drawing)
    drawing.branch((INPUT, (1, _CAMERAS * 256, 704)))  # distances of the lidar's points in the images
    for index, (channels, kernel, stride) in enumerate(((8, 1, 1), (32, 5, 4), (64, 5, 2)), start=1):
        drawing.conv(f"distances{index}", channels, kernel, stride=stride, bias=True)
    drawing.join("depth.concat", drawing.feature, images)
    for index in (1, 2):
        drawing.conv(f"depth{index}", _WIDTH, 3, bias=True)
    drawing.conv("depth3", _DEPTHS + _LIFTED, norm=False, act=False)
    joint, places = drawing.last, drawing.places
    drawing.moved("depth.of_token", "softmax", read=_DEPTHS * places, written=_DEPTHS * places)
    drawing.reading(drawing.last, joint)
    drawing.product("lift", _DEPTHS, 1, _LIFTED, places)
    drawing.shape = (_LIFTED, 2 * _MAP_SIDE, 2 * _MAP_SIDE)
    drawing.moved("lift.gather", "gather", read=_DEPTHS * _LIFTED * places)
    for index, stride in enumerate((1, 2, 1), start=1):
        drawing.conv(f"map{index}", _LIFTED, 3, stride=stride)
    drawing.reading(drawing.last, INPUT)
    drawing.shape = (_LIFTED + _LIDAR, _MAP_SIDE, _MAP_SIDE)
    drawing.moved("fuse.concat", "concat")
    drawing.conv("fuse", _LIDAR, 3)
    _draw_fused_backbone(drawing)
    _draw_boxes(drawing)
    return drawing.rows


def _draw_images(drawing: Drawing) -> Feature:
    """Add a Swin-T and a neck that joins its last three maps; return the finest, an eighth of the sides."""
    drawing.conv("patches", _SWIN_WIDTHS[0], 4, stride=4, pad=0, norm=False, act=False)
    drawing.norm("patches.norm")
    maps: list[Feature] = []
    for stage, (depth, width) in enumerate(zip(_SWIN_DEPTHS, _SWIN_WIDTHS, strict=True)):
        height, columns = drawing.shape[1:]
        if stage:
            drawing.shape = (2 * width, height // 2, columns // 2)
            drawing.moved(f"merge{stage}.concat", "concat")
            drawing.norm(f"merge{stage}.norm")
            drawing.conv(f"merge{stage}", width, bias=False, norm=False, act=False)
        for block in range(depth):
            _swin_block(drawing, f"stage{stage}.{block}", width // 32, block % 2 == 1)
        after = drawing.feature
        if stage:
            drawing.norm(f"stage{stage}.norm")
            maps.append(drawing.feature)
            drawing.branch(after)
    found = maps[2]
    for level in (1, 0):
        drawing.branch(found)
        drawing.resize(f"neck{level}.resize", *maps[level][1][1:])
        drawing.join(f"neck{level}.concat", maps[level], drawing.feature)
        drawing.conv(f"neck{level}.1", _WIDTH)
        drawing.conv(f"neck{level}.2", _WIDTH, 3)
        found = drawing.feature
    return found


def _swin_block(drawing: Drawing, name: str, heads: int, shifted: bool) -> None:
    """Add attention in windows of 7 x 7, for which every image is padded, and a feed-forward part."""
    entry, (width, height, columns) = drawing.feature, drawing.shape
    drawing.norm(f"{name}.norm1")
    windows = _CAMERAS * -(-height // _CAMERAS // _WINDOW) * -(-columns // _WINDOW)
    places, each = windows * _WINDOW**2, _WINDOW**2
    scored = [("positions", heads * each**2, heads * (2 * _WINDOW - 1) ** 2)]
    drawing.moved(f"{name}.pad", "reshape", written=width * places)
    if shifted:
        scored.append(("mask", windows * each**2, 0))
    drawing.shape = (width, places, 1)
    Attention(heads, windows, scored=tuple(scored)).draw(drawing, f"{name}.attention")
    drawing.shape = (width, height, columns)
    drawing.moved(f"{name}.crop", "reshape", read=width * places)
    drawing.sum(f"{name}.add1", drawing.feature, entry)
    entry = drawing.feature
    drawing.norm(f"{name}.norm2")
    feed_forward(drawing, f"{name}.mlp", 4 * width)
    drawing.shape = entry[1]
    drawing.sum(f"{name}.add2", drawing.feature, entry)


def _draw_fused_backbone(drawing: Drawing) -> None:
    maps: list[Feature] = []
    for stage, width in enumerate((_FUSED_WIDTH, 2 * _FUSED_WIDTH)):
        for index in range(6):
            drawing.conv(f"fused{stage}.{index}", width, 3, stride=1 if index or not stage else 2)
        maps.append(drawing.feature)
    finer: list[Feature] = []
    for stage, (each, factor) in enumerate(zip(maps, (1, 2), strict=True)):
        drawing.branch(each)
        draw_scaled(drawing, f"fused{stage}.joined", 2 * _FUSED_WIDTH, factor)
        finer.append(drawing.feature)
    drawing.join("fused.joined", *finer)


def _draw_boxes(drawing: Drawing) -> None:
    """Add TransFusion's head: a heat map, and 200 proposals that attend to each other and to the map."""
    drawing.conv("shared", _FUSED_WIDTH, 3, norm=False, act=False)
    shared = drawing.feature
    drawing.conv("heat1", _FUSED_WIDTH, 3, bias=True)
    drawing.conv("heat2", _CLASSES, 3, norm=False, act=False)
    heat = drawing.feature
    drawing.moved("proposals.best", "topk", written=_PROPOSALS)
    drawing.reading(drawing.last, shared[0])
    drawing.shape = (_FUSED_WIDTH, _PROPOSALS, 1)
    drawing.moved("proposals.gather", "gather", weights=(_CLASSES + 1) * _FUSED_WIDTH)
    proposals = drawing.feature
    tokens = (shared[0], (_FUSED_WIDTH, _MAP_SIDE**2, 1))
    Attention(_HEADS).draw(drawing, "own")
    _add_and_normalise(drawing, "own", proposals)
    entry = drawing.feature
    CrossAttention(_HEADS, tokens).draw(drawing, "map")
    _add_and_normalise(drawing, "map", entry)
    entry = drawing.feature
    feed_forward(drawing, "mlp", 2 * _FUSED_WIDTH)
    _add_and_normalise(drawing, "mlp", entry)
    entry, results = drawing.feature, [heat]
    parts: Mapping[str, int] = {"center": 2, "height": 1, "size": 3, "rotation": 2, "velocity": 2, "class": _CLASSES}
    for part, features in parts.items():
        drawing.branch(entry)
        drawing.linear(f"{part}.fc1", 64)
        drawing.norm(f"{part}.norm", kind="batchnorm")
        drawing.act(f"{part}.act")
        drawing.linear(f"{part}.fc2", features)
        results.append(drawing.feature)
    drawing.outputs("outputs", *results)


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of these networks."""
    summary = "Object detection in 3D from six images of 480x800x3 and the map of the frame before."
    source = "mlcommons/mlperf_automotive (Apache-2.0), configuration bevformer_tiny; drawn from the definition"
    title = "BEVFormer-tiny, six images of 480x800"
    yield drawn_network("bevformer-tiny", title, "BEVFormer-T", summary, source, bevformer)
    summary = (
        "Object detection in 3D from six images of 256x704x3 and a map of the lidar. Its sparse encoder is left out."
    )
    source = "mit-han-lab/bevfusion (Apache-2.0), configuration swint_v0p075 convfuser; drawn from the definition"
    title = "BEVFusion without the lidar's encoder, six images of 256x704"
    yield drawn_network("bevfusion", title, "BEVFusion", summary, source, bevfusion)
