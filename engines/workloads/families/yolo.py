"""One-stage detectors of the YOLO line: YOLOX, YOLOv5, YOLOv8 and YOLO11, with heads for boxes, masks and key points.

Sources: YOLOX from arXiv 2107.08430 and Megvii-BaseDetection/YOLOX (Apache-2.0). YOLOv5 (release 6), which has YOLOX's backbone and
neck without its head, from arXiv 2407.20892. YOLOv8 from tinygrad `examples/yolov8.py` (MIT) and keras-cv `yolo_v8` (Apache-2.0).
YOLO11: its blocks from arXiv 2410.17725, its attention and separable heads from the YOLOv10 paper (arXiv 2405.14458).

Kinds, widths and numbers of layers are facts; each size is held to published MACs and parameters (YOLOv12 paper, Hailo Model Zoo).
Numbers of blocks that no paper prints were first read in hippolytemayard/yolov11-pytorch. It declares Apache-2.0 and mirrors
Ultralytics' AGPL code, so no text of it is used. The authors' code under GPL or AGPL was not a source. Boxes are decoded outside
the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row

_CLASSES, _MASKS, _KEY_POINTS = 80, 32, 17
# Each side of a box is a distribution over 16 bins.
_BINS = 4 * 16
# Draws a stage of a neck: name, channels, level of the pyramid.
_Stage = Callable[[str, int, int], None]


@dataclass(frozen=True)
class YoloShape:
    """A YOLO.

    Attributes:
        widths: widths of the stem and the four stages.
        depth: blocks of the first and last stage and of the neck.
        middle: blocks of the second and third stage.
        nested: whether blocks of the first two stages are nested (YOLO11); those of the last two always are.
    """

    widths: Sequence[int]
    depth: int
    middle: Sequence[int]
    nested: bool = False


_YOLOV8 = {
    "n": YoloShape((16, 32, 64, 128, 256), 1, (2, 2)),
    "s": YoloShape((32, 64, 128, 256, 512), 1, (2, 2)),
    "m": YoloShape((48, 96, 192, 384, 576), 2, (4, 4)),
    "l": YoloShape((64, 128, 256, 512, 512), 3, (6, 6)),
    "x": YoloShape((80, 160, 320, 640, 640), 3, (6, 6)),
}
_YOLO11 = {
    "n": YoloShape((16, 32, 64, 128, 256), 1, (1, 1)),
    "s": YoloShape((32, 64, 128, 256, 512), 1, (1, 1)),
    "m": YoloShape((64, 128, 256, 512, 512), 1, (1, 1), nested=True),
    "l": YoloShape((64, 128, 256, 512, 512), 2, (2, 2), nested=True),
    "x": YoloShape((96, 192, 384, 768, 768), 2, (2, 2), nested=True),
}
_YOLOV5 = {
    "n": YoloShape((16, 32, 64, 128, 256), 1, (2, 3)),
    "s": YoloShape((32, 64, 128, 256, 512), 1, (2, 3)),
    "m": YoloShape((48, 96, 192, 384, 768), 2, (4, 6)),
    "l": YoloShape((64, 128, 256, 512, 1024), 3, (6, 9)),
}
_YOLOX = {
    "tiny": YoloShape((24, 48, 96, 192, 384), 1, (3, 3)),
    "s": YoloShape((32, 64, 128, 256, 512), 1, (3, 3)),
    "m": YoloShape((48, 96, 192, 384, 768), 2, (6, 6)),
    "l": YoloShape((64, 128, 256, 512, 1024), 3, (9, 9)),
    "x": YoloShape((80, 160, 320, 640, 1280), 4, (12, 12)),
}
_TASKS = {
    "": "Object detection",
    "seg": "Object detection with a mask for each object",
    "pose": "Persons with 17 key points",
}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of all sizes."""
    for size, shape in _YOLOX.items():
        side = 416 if size == "tiny" else 640
        draw = partial(yolox, shape, side)
        yield _document(f"yolox-{size}", f"YOLOX-{size}", "", side, "arXiv 2107.08430; Megvii YOLOX (Apache-2.0)", draw)
    for size, shape in _YOLOV5.items():
        draw = partial(yolov5, shape)
        yield _document(f"yolov5{size}", f"YOLOv5{size}", "", 640, "arXiv 2407.20892; Megvii YOLOX (Apache-2.0)", draw)
    for task in _TASKS:
        for size in {"": "nsmlx", "seg": "nsx", "pose": "ns"}[task]:
            draw = partial(yolov8, _YOLOV8[size], task)
            source = "tinygrad (MIT) and keras-cv (Apache-2.0)"
            yield _document(f"yolov8{size}", f"YOLOv8{size}", task, 640, source, draw)
    for task in ("", "seg"):
        for size in "nsmlx" if not task else "n":
            draw = partial(yolo11, _YOLO11[size], task)
            source = "arXiv 2410.17725 and 2405.14458; sizes by published totals"
            yield _document(f"yolo11{size}", f"YOLO11{size}", task, 640, source, draw)


def _document(slug: str, title: str, task: str, side: int, source: str, draw: Callable[[], list[Row]]) -> LazyNetwork:
    ending = f"-{task}" if task else ""
    classes = "one class" if task == "pose" else f"{_CLASSES} classes"
    summary = f"{_TASKS[task]}, {side}x{side}x3, {classes}."
    whole = f"{title}{ending}"
    return drawn_network(
        f"{slug}{ending}", f"{whole}, {side}x{side}", whole, summary, f"{source}; drawn from the definition", draw
    )


def yolox(shape: YoloShape, side: int = 640) -> list[Row]:
    """Return the YOLOX for `side` x `side` inputs: a head with separate branches for classes and boxes."""
    drawing = Drawing((3, side, side))
    drawing.shape = (12, side // 2, side // 2)
    drawing.moved("focus", "reshape")
    drawing.conv("stem", shape.widths[0], 3)
    levels = _lateral_pyramid(drawing, _backbone_with_shortcuts(drawing, shape, parallel=True), shape.depth)
    ends = []
    for number, level in enumerate(levels, start=3):
        name, width = f"head{number}", levels[0][1][0]
        drawing.branch(level)
        drawing.conv(f"{name}.stem", width)
        stem = drawing.feature
        for branch, predictions in (("classes", (_CLASSES,)), ("boxes", (4, 1))):
            drawing.branch(stem)
            for layer in (1, 2):
                drawing.conv(f"{name}.{branch}.conv{layer}", width, 3)
            entry = drawing.feature
            for channels in predictions:
                drawing.branch(entry)
                drawing.conv(f"{name}.{branch}.predict{channels}", channels, norm=False, act=False)
                ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def yolov5(shape: YoloShape) -> list[Row]:
    """Return the YOLOv5 (release 6), 640x640: three anchors in each place, one convolution for each level."""
    drawing = Drawing((3, 640, 640))
    drawing.conv("stem", shape.widths[0], 6, stride=2, pad=2)
    levels = _lateral_pyramid(drawing, _backbone_with_shortcuts(drawing, shape, parallel=False), shape.depth)
    ends = []
    for number, level in enumerate(levels, start=3):
        drawing.branch(level)
        drawing.conv(f"head{number}", 3 * (_CLASSES + 5), norm=False, act=False)
        ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)
    return drawing.rows


def _backbone_with_shortcuts(drawing: Drawing, shape: YoloShape, parallel: bool) -> list[Feature]:
    """Add four stages of CSP layers with a bypass; return the results of the last three.

    Args:
        drawing: after the stem.
        shape: shape of the network.
        parallel: pool with three windows before the last CSP layer (YOLOX) instead of three times after it.
    """
    levels = []
    for stage, (width, depth) in enumerate(
        zip(shape.widths[1:], (shape.depth, *shape.middle, shape.depth), strict=True), start=2
    ):
        drawing.conv(f"stage{stage}.reduce", width, 3, stride=2)
        last = stage == len(shape.widths)
        if last and parallel:
            _pyramid_pooling(drawing, "pooling", width, parallel=True)
        _bypass_layer(drawing, f"stage{stage}", width, depth, adds=not (last and parallel))
        if last and not parallel:
            _pyramid_pooling(drawing, "pooling", width)
        levels.append(drawing.feature)
    return levels[1:]


def _lateral_pyramid(drawing: Drawing, levels: Sequence[Feature], depth: int) -> list[Feature]:
    """Add the neck that narrows a level before it goes to the next finer one; return its three results, the finest first."""
    third, fourth, fifth = levels
    laterals = []
    for name, fine in (("up4", fourth), ("up3", third)):
        drawing.conv(f"neck.{name}.narrow", fine[1][0])
        laterals.append(drawing.feature)
        _upwards(drawing, f"neck.{name}", fine)
        _bypass_layer(drawing, f"neck.{name}", fine[1][0], depth, adds=False)
    found = [drawing.feature]
    for name, lateral, width in (("down4", laterals[1], fourth[1][0]), ("down5", laterals[0], fifth[1][0])):
        drawing.conv(f"neck.{name}.reduce", drawing.channels, 3, stride=2)
        drawing.join(f"neck.{name}.concat", drawing.feature, lateral)
        _bypass_layer(drawing, f"neck.{name}", width, depth, adds=False)
        found.append(drawing.feature)
    return found


def _bypass_layer(drawing: Drawing, name: str, width: int, depth: int, adds: bool) -> None:
    """Add two branches of half the width, one of which has `depth` blocks of a 1x1 and a 3x3 convolution."""
    entry, half = drawing.feature, width // 2
    drawing.conv(f"{name}.main", half)
    for block in range(depth):
        before = drawing.feature
        drawing.conv(f"{name}.m{block}.conv1", half)
        drawing.conv(f"{name}.m{block}.conv2", half, 3)
        if adds:
            drawing.sum(f"{name}.m{block}.add", drawing.feature, before)
    main = drawing.feature
    drawing.branch(entry)
    drawing.conv(f"{name}.bypass", half)
    drawing.join(f"{name}.join", main, drawing.feature)
    drawing.conv(f"{name}.fuse", width)


def _pyramid_pooling(drawing: Drawing, name: str, width: int, parallel: bool = False) -> None:
    """Add poolings over 5x5, 9x9 and 13x13 places, the larger two as repeated poolings over 5x5 unless `parallel`."""
    drawing.conv(f"{name}.narrow", drawing.channels // 2)
    maps = [drawing.feature]
    for window in (5, 9, 13):
        if parallel:
            drawing.branch(maps[0])
        drawing.pool(f"{name}.pool{window}", window if parallel else 5, 1, pad=window // 2 if parallel else 2)
        maps.append(drawing.feature)
    drawing.join(f"{name}.concat", *maps)
    drawing.conv(f"{name}.fuse", width)


def yolov8(shape: YoloShape, task: str = "") -> list[Row]:
    """Return the YOLOv8, 640x640, for the task "" (boxes), "seg" (masks too) or "pose" (key points of persons too)."""
    drawing = Drawing((3, 640, 640))
    drawing.conv("stem", shape.widths[0], 3, stride=2)
    levels = []
    for stage, (width, depth) in enumerate(
        zip(shape.widths[1:], (shape.depth, *shape.middle, shape.depth), strict=True), start=2
    ):
        drawing.conv(f"stage{stage}.reduce", width, 3, stride=2)
        _split_layer(drawing, f"stage{stage}", width, width // 2, depth, _pair(adds=True))
        levels.append(drawing.feature)
    _pyramid_pooling(drawing, "pooling", shape.widths[-1])
    levels[-1] = drawing.feature

    def stage_of_neck(name: str, width: int, _: int) -> None:
        _split_layer(drawing, name, width, width // 2, shape.depth, _pair(adds=False))

    _heads(drawing, _pyramid(drawing, levels[1:], shape.widths[2:], stage_of_neck), task, separable=False)
    return drawing.rows


def yolo11(shape: YoloShape, task: str = "") -> list[Row]:
    """Return the YOLO11, 640x640, for the task "" (boxes) or "seg" (masks too)."""
    drawing = Drawing((3, 640, 640))
    drawing.conv("stem", shape.widths[0], 3, stride=2)
    levels = []
    depths = (shape.depth, *shape.middle, shape.depth)
    outer, nested = _pair(adds=True, share=0.5), _nested
    for stage, depth in enumerate(depths, start=2):
        drawing.conv(f"stage{stage}.reduce", shape.widths[stage - 1], 3, stride=2)
        early = stage < 4
        width = shape.widths[stage] if early else shape.widths[stage - 1]
        block = outer if early and not shape.nested else nested
        _split_layer(drawing, f"stage{stage}", width, width // (4 if early else 2), depth, block)
        levels.append(drawing.feature)
    _pyramid_pooling(drawing, "pooling", shape.widths[-1])
    _split_attention(drawing, "attention", shape.depth)
    levels[-1] = drawing.feature

    def stage_of_neck(name: str, width: int, level: int) -> None:
        block = nested if shape.nested or level == 5 else outer
        _split_layer(drawing, name, width, width // 2, shape.depth, block)

    _heads(drawing, _pyramid(drawing, levels[1:], shape.widths[2:], stage_of_neck), task, separable=True)
    return drawing.rows


_Block = Callable[[Drawing, str, Feature], None]


def _split_layer(drawing: Drawing, name: str, width: int, hidden: int, depth: int, block: _Block) -> None:
    """Add a layer whose blocks change half of the channels one after the other; what each of them gives out is joined."""
    drawing.conv(f"{name}.split", 2 * hidden)
    parts = [drawing.feature]
    row, (_, height, columns) = parts[0]
    source = (row, (hidden, height, columns))
    for number in range(depth):
        block(drawing, f"{name}.m{number}", source)
        source = drawing.feature
        parts.append(source)
    drawing.join(f"{name}.join", *parts)
    drawing.conv(f"{name}.fuse", width)


def _pair(adds: bool, share: float = 1.0) -> _Block:
    """Return a block of two 3x3 convolutions, the first one to `share` of the channels, with a shortcut if it `adds`."""

    def draw(drawing: Drawing, name: str, source: Feature) -> None:
        width = source[1][0]
        drawing.branch(source)
        drawing.conv(f"{name}.conv1", int(width * share), 3)
        drawing.conv(f"{name}.conv2", width, 3)
        if adds:
            drawing.sum(f"{name}.add", drawing.feature, source)

    return draw


def _nested(drawing: Drawing, name: str, source: Feature) -> None:
    """Add a block of two branches of half the channels, one of which has two pairs of convolutions."""
    width, block = source[1][0], _pair(adds=True)
    drawing.branch(source)
    drawing.conv(f"{name}.main", width // 2)
    for number in range(2):
        block(drawing, f"{name}.pair{number}", drawing.feature)
    main = drawing.feature
    drawing.branch(source)
    drawing.conv(f"{name}.bypass", width // 2)
    drawing.join(f"{name}.join", main, drawing.feature)
    drawing.conv(f"{name}.fuse", width)


def _split_attention(drawing: Drawing, name: str, depth: int) -> None:
    """Add attention over half of the channels: heads of 64 values, keys half as wide, positions from a depthwise convolution."""
    width = drawing.channels
    drawing.conv(f"{name}.split", width)
    row, (_, height, columns) = drawing.feature
    source = half = (row, (width // 2, height, columns))
    for number in range(depth):
        _attention_block(drawing, f"{name}.m{number}", source)
        source = drawing.feature
    drawing.join(f"{name}.halves", half, source)
    drawing.conv(f"{name}.fuse", width)


def _attention_block(drawing: Drawing, name: str, source: Feature) -> None:
    width, shape = source[1][0], source[1]
    heads, places = width // 64, shape[1] * shape[2]
    drawing.branch(source)
    drawing.conv(f"{name}.query_key_value", 2 * width, act=False)
    joint = drawing.feature
    drawing.product(f"{name}.scores", places, 32, places, heads)
    scores = heads * places**2
    drawing.moved(f"{name}.softmax", "softmax", read=scores, written=scores)
    drawing.reading(drawing.last, joint[0])
    drawing.product(f"{name}.values", places, places, 64, heads)
    values = (drawing.last, shape)
    drawing.branch(joint, width)
    drawing.conv(f"{name}.positions", width, 3, groups=width, act=False)
    drawing.sum(f"{name}.with_positions", values, drawing.feature)
    drawing.conv(f"{name}.project", width, act=False)
    drawing.sum(f"{name}.add1", drawing.feature, source)
    entry = drawing.feature
    drawing.conv(f"{name}.fc1", 2 * width)
    drawing.conv(f"{name}.fc2", width, act=False)
    drawing.sum(f"{name}.add2", drawing.feature, entry)


def _pyramid(drawing: Drawing, levels: Sequence[Feature], widths: Sequence[int], stage: _Stage) -> list[Feature]:
    """Add the neck that passes coarse levels to fine ones and back; return its results of these widths, the finest first."""
    third, fourth, fifth = levels
    _upwards(drawing, "neck.up4", fourth)
    stage("neck.up4", widths[1], 4)
    middle = drawing.feature
    _upwards(drawing, "neck.up3", third)
    stage("neck.up3", widths[0], 3)
    found = [drawing.feature]
    for name, side, width, level in (("neck.down4", middle, widths[1], 4), ("neck.down5", fifth, widths[2], 5)):
        drawing.conv(f"{name}.reduce", drawing.channels, 3, stride=2)
        drawing.join(f"{name}.concat", drawing.feature, side)
        stage(name, width, level)
        found.append(drawing.feature)
    return found


def _upwards(drawing: Drawing, name: str, fine: Feature) -> None:
    """Add an interpolation to the size of `fine` and the concatenation of both."""
    drawing.resize(f"{name}.resize", *fine[1][1:])
    drawing.join(f"{name}.concat", drawing.feature, fine)


def _heads(drawing: Drawing, levels: Sequence[Feature], task: str, separable: bool) -> None:
    """Add branches for boxes, classes and what the task asks for; a branch for classes may have separable convolutions."""
    narrow = levels[0][1][0]
    classes = 1 if task == "pose" else _CLASSES
    extra = {"": 0, "seg": _MASKS, "pose": 3 * _KEY_POINTS}[task]
    ends = []
    for number, level in enumerate(levels, start=3):
        name = f"head{number}"
        _branch_of_head(drawing, f"{name}.boxes", level, max(_BINS, narrow // 4), _BINS)
        ends.append(drawing.feature)
        _branch_of_head(drawing, f"{name}.classes", level, max(classes, narrow), classes, separable)
        ends.append(drawing.feature)
        if extra:
            _branch_of_head(drawing, f"{name}.{task}", level, max(extra, narrow // 4), extra)
            ends.append(drawing.feature)
    if task == "seg":
        _mask_prototypes(drawing, levels[0])
        ends.append(drawing.feature)
    drawing.outputs("outputs", *ends)


def _branch_of_head(
    drawing: Drawing, name: str, level: Feature, width: int, predictions: int, separable: bool = False
) -> None:
    drawing.branch(level)
    for layer in (1, 2):
        if separable:
            drawing.conv(f"{name}.depthwise{layer}", drawing.channels, 3, groups=drawing.channels)
        drawing.conv(f"{name}.conv{layer}", width, 1 if separable else 3)
    drawing.conv(f"{name}.predict", predictions, norm=False, act=False)


def _mask_prototypes(drawing: Drawing, level: Feature) -> None:
    drawing.branch(level)
    drawing.conv("prototypes.conv1", level[1][0], 3)
    drawing.transposed_conv("prototypes.enlarge", level[1][0])
    drawing.conv("prototypes.conv2", level[1][0], 3)
    drawing.conv("prototypes.conv3", _MASKS)
