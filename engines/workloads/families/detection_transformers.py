"""Detectors with a transformer: DETR and RT-DETR on a ResNet or HGNetv2, RF-DETR on a DINOv2 with windows.

Sources: DETR from arXiv 2005.12872 and facebookresearch/detr (Apache-2.0). RT-DETR from arXiv 2304.08069 and lyuwenyu/RT-DETR
(Apache-2.0), in deployed form: 1x1 branches next to 3x3 convolutions are merged. HGNetv2 from PaddlePaddle/PaddleDetection
(Apache-2.0) `hgnet_v2.py`. RF-DETR from arXiv 2511.09554 and roboflow/rf-detr (Apache-2.0), without the twelve groups of queries
and heads of training. Encodings of positions are constants. Sampling in deformable attention counts no products.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from engines.workloads.families.attention import Attention, encoder_block, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.image_encoders import VitShape, draw_patches
from engines.workloads.families.network_builder import Drawing, Feature, Row
from engines.workloads.families.residual import ResidualStages, draw_residual

_WIDTH, _HEADS = 256, 8
_DETR_CLASSES, _DETR_QUERIES = 92, 100
_CLASSES, _QUERIES, _POINTS = 80, 300, 4


@dataclass(frozen=True)
class RtDetrShape:
    """An RT-DETR.

    Attributes:
        stages: stages of its ResNet; None: its backbone is HGNetv2-L.
        expansion: width of the layers of the neck, as a share of 256.
        depth: layers of the decoder.
    """

    stages: ResidualStages | None
    expansion: float
    depth: int


_RT_DETRS = {
    "r18": RtDetrShape(ResidualStages((2, 2, 2, 2), bottleneck=False, pooled=True), 0.5, 3),
    "r34": RtDetrShape(ResidualStages((3, 4, 6, 3), bottleneck=False, pooled=True), 0.5, 4),
    "r50": RtDetrShape(ResidualStages((3, 4, 6, 3), pooled=True), 1.0, 6),
    "l": RtDetrShape(None, 1.0, 6),
}
# Stages of HGNetv2-L: width inside, width given out, blocks, whether convolutions are split in 1x1 and depthwise ones.
_HGNET = ((48, 128, 1, False), (96, 512, 1, False), (192, 1024, 3, True), (384, 2048, 1, True))
_HGNET_LAYERS = 6
# Side of the image, layers of the decoder.
_RF_DETRS = {"nano": (384, 2), "small": (512, 3), "medium": (576, 4), "large": (704, 4)}
_RF_CLASSES, _RF_WINDOWS, _RF_SAMPLES = 91, 4, 16 * 2


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of the detectors."""
    for name, shape in _RT_DETRS.items():
        title = f"RT-DETR-{name.upper()}"
        summary = f"Object detection, 640x640x3, {_CLASSES} classes, {_QUERIES} queries."
        source = "arXiv 2304.08069; lyuwenyu/RT-DETR (Apache-2.0); drawn from the definition"
        yield drawn_network(f"rt-detr-{name}", f"{title}, 640x640", title, summary, source, partial(rt_detr, shape))
    for name, (side, depth) in _RF_DETRS.items():
        title = f"RF-DETR-{name.capitalize()}"
        summary = f"Object detection, {side}x{side}x3, {_RF_CLASSES} classes, {_QUERIES} queries."
        source = "arXiv 2511.09554; roboflow/rf-detr (Apache-2.0); drawn from the definition"
        yield drawn_network(
            f"rf-detr-{name}", f"{title}, {side}x{side}", f"RF-DETR-{name[0].upper()}", summary, source,
            partial(rf_detr, side, depth),
        )  # fmt: skip
    for depths, name in (((3, 4, 6, 3), "50"), ((3, 4, 23, 3), "101")):
        title = f"DETR-R{name}"
        summary = f"Object detection, 480x480x3, {_DETR_CLASSES - 1} classes, {_DETR_QUERIES} queries."
        source = "arXiv 2005.12872; facebookresearch/detr (Apache-2.0); drawn from the definition"
        yield drawn_network(
            f"detr-r{name}", f"{title}, 480x480", title, summary, source, partial(detr, ResidualStages(depths))
        )


def detr(stages: ResidualStages) -> list[Row]:
    """Return the DETR for 480x480 inputs: six layers of encoder and of decoder, 100 queries."""
    drawing = Drawing((3, 480, 480))
    draw_residual(drawing, stages)
    drawing.conv("project", _WIDTH, norm=False, act=False)
    _, height, width = drawing.shape
    drawing.shape = (_WIDTH, height * width, 1)
    for layer in range(6):
        _encoder_layer(drawing, f"encoder{layer}", 2048)
    memory = drawing.feature
    # Queries are learnt and depend on no input; they are said to read the memory, so that they run after the encoder.
    drawing.moved("queries.gather", "gather", written=_WIDTH * _DETR_QUERIES, weights=_WIDTH * _DETR_QUERIES)
    drawing.shape = (_WIDTH, _DETR_QUERIES, 1)
    for layer in range(6):
        name, entry = f"decoder{layer}", drawing.feature
        drawing.add(f"{name}.positions1")
        _attention(drawing, f"{name}.self", drawing.feature, drawing.feature, entry)
        _add_and_normalise(drawing, f"{name}.1", entry)
        entry = drawing.feature
        drawing.add(f"{name}.positions2")
        _attention(drawing, f"{name}.cross", drawing.feature, memory, memory)
        _add_and_normalise(drawing, f"{name}.2", entry)
        entry = drawing.feature
        feed_forward(drawing, f"{name}.mlp", 2048)
        _add_and_normalise(drawing, f"{name}.3", entry)
    drawing.norm("decoder.norm")
    found = drawing.feature
    drawing.linear("classes", _DETR_CLASSES)
    classes = drawing.feature
    drawing.branch(found)
    _perceptron(drawing, "boxes", (_WIDTH, _WIDTH, 4))
    drawing.outputs("outputs", classes, drawing.feature)
    return drawing.rows


def rt_detr(shape: RtDetrShape) -> list[Row]:
    """Return the RT-DETR for 640x640 inputs: one layer of encoder on the coarsest level, a neck, a deformable decoder."""
    drawing = Drawing((3, 640, 640))
    stages = draw_residual(drawing, shape.stages) if shape.stages else _hgnet(drawing)
    levels = _neck(drawing, stages[1:], shape.expansion)
    maps = []
    for number, level in enumerate(levels, start=3):
        drawing.branch(level)
        drawing.conv(f"memory{number}", _WIDTH, act=False)
        maps.append(drawing.feature)
    drawing.reading(*(row for row, _ in maps))
    places = sum(height * width for _, (_, height, width) in maps)
    drawing.shape = (_WIDTH, places, 1)
    drawing.moved("memory", "concat")
    memory = drawing.feature
    queries, boxes = _selection(drawing, memory)
    _decoder(drawing, memory, queries, boxes, shape.depth)
    return drawing.rows


def _hgnet(drawing: Drawing) -> list[Feature]:
    """Add HGNetv2-L: blocks join what all their layers give out; return what each stage gives out."""
    drawing.conv("stem1", 32, 3, stride=2)
    entry = drawing.feature
    drawing.conv("stem2a", 16, 2, pad=(0, 1, 0, 1))
    drawing.conv("stem2b", 32, 2, pad=(0, 1, 0, 1))
    convolved = drawing.feature
    drawing.branch(entry)
    drawing.moved("stem.pool", "pool")
    drawing.join("stem.join", drawing.feature, convolved)
    drawing.conv("stem3", 32, 3, stride=2)
    drawing.conv("stem4", 48)
    found = []
    for number, (inner, width, blocks, light) in enumerate(_HGNET, start=1):
        if number > 1:
            drawing.conv(f"stage{number}.down", drawing.channels, 3, stride=2, groups=drawing.channels, act=False)
        for block in range(blocks):
            entry, name = drawing.feature, f"stage{number}.{block}"
            results = [entry]
            for layer in range(_HGNET_LAYERS):
                if light:
                    drawing.conv(f"{name}.point{layer}", inner, act=False)
                    drawing.conv(f"{name}.depth{layer}", inner, 5, groups=inner)
                else:
                    drawing.conv(f"{name}.conv{layer}", inner, 3)
                results.append(drawing.feature)
            drawing.join(f"{name}.join", *results)
            drawing.conv(f"{name}.squeeze", width // 2)
            drawing.conv(f"{name}.excite", width)
            if block:
                drawing.sum(f"{name}.add", drawing.feature, entry)
        found.append(drawing.feature)
    return found


def rf_detr(side: int, depth: int) -> list[Row]:
    """Return the RF-DETR for `side` x `side` inputs: a DINOv2 with windows, one map of its four results, a deformable decoder."""
    drawing = Drawing((3, side, side))
    drawing.branch(_windowed_encoder(drawing, side))
    _projector(drawing)
    drawing.shape = (_WIDTH, drawing.places, 1)
    memory = drawing.feature
    _, boxes = _selection(drawing, memory, _RF_CLASSES, gathers_queries=False)
    drawing.branch(boxes)
    drawing.add("boxes.reference", weights=4 * _QUERIES)
    boxes = drawing.feature
    drawing.moved("boxes.sines", "eltwise", written=2 * _WIDTH * _QUERIES)
    drawing.shape = (2 * _WIDTH, _QUERIES, 1)
    _perceptron(drawing, "positions", (_WIDTH, _WIDTH))
    positions = drawing.feature
    # Queries are learnt and depend on no input; they are said to read the boxes, so that they run after the choice.
    drawing.branch(boxes)
    drawing.moved("queries.gather", "gather", written=_WIDTH * _QUERIES, weights=_WIDTH * _QUERIES)
    queries = (drawing.last, (_WIDTH, _QUERIES, 1))
    for layer in range(depth):
        queries = _decoder_layer(drawing, f"decoder{layer}", (queries, positions, boxes, memory), 2048, _RF_SAMPLES)
    drawing.norm("decoder.norm")
    found = drawing.feature
    drawing.linear("classes", _RF_CLASSES)
    classes = drawing.feature
    drawing.branch(found)
    _perceptron(drawing, "boxes", (_WIDTH, _WIDTH, 4))
    drawing.sum("boxes.correct", drawing.feature, boxes)
    drawing.outputs("outputs", classes, drawing.feature)
    return drawing.rows


def _windowed_encoder(drawing: Drawing, side: int) -> Feature:
    """Add a DINOv2-S whose tokens attend within four windows, and to all in every third block; return four results as one map."""
    shape = VitShape(side, 16, 12, 384, 6, scaled=True)
    draw_patches(drawing, shape)
    patches = side // shape.patch
    count = patches**2 + _RF_WINDOWS  # each window has the class token
    drawing.moved("windows.gather", "gather", written=shape.width * count)
    drawing.shape = (shape.width, count, 1)
    taken: list[Feature] = []
    for block in range(shape.depth):
        windows = 1 if block and block % 3 == 0 else _RF_WINDOWS
        encoder_block(drawing, f"block{block}", Attention(shape.heads, windows), 4 * shape.width, scaled=True)
        taken += [drawing.feature] * (block % 3 == 2)
    results = []
    for number, tokens in enumerate(taken):
        drawing.branch(tokens)
        drawing.norm(f"result{number}.norm")
        drawing.share("result.norm")
        drawing.moved(f"result{number}.gather", "gather", written=shape.width * patches**2)
        results.append((drawing.last, (shape.width, patches, patches)))
    drawing.join("results", *results)
    return drawing.feature


def _projector(drawing: Drawing) -> None:
    """Add two halves of 128 channels, three pairs of 3x3 convolutions on one of them, and the join of all results."""

    def conv(name: str, width: int, kernel: int = 1) -> None:
        drawing.conv(name, width, kernel, bias=False, norm=False, act=False)
        drawing.norm(f"{name}.norm")
        drawing.act(f"{name}.act")

    conv("projector.split", _WIDTH)
    results = [drawing.feature]
    drawing.branch(results[0], _WIDTH // 2)
    for block in range(3):
        for number in (1, 2):
            conv(f"projector.m{block}.conv{number}", _WIDTH // 2, 3)
        results.append(drawing.feature)
    drawing.join("projector.join", *results)
    conv("projector.out", _WIDTH)
    drawing.norm("projector.norm")


def _neck(drawing: Drawing, levels: list[Feature], expansion: float) -> list[Feature]:
    """Add projections to one width, attention within the coarsest level and the passes down to the finest level and back."""
    projected = []
    for number, level in enumerate(levels, start=3):
        drawing.branch(level)
        drawing.conv(f"project{number}", _WIDTH, act=False)
        projected.append(drawing.feature)
    shape = drawing.shape
    drawing.shape = (_WIDTH, drawing.places, 1)
    _encoder_layer(drawing, "encoder", 1024)
    drawing.shape = shape
    laterals = []
    for number, fine in ((4, projected[1]), (3, projected[0])):
        drawing.conv(f"up{number}.lateral", _WIDTH)
        laterals.append(drawing.feature)
        drawing.resize(f"up{number}.resize", *fine[1][1:])
        drawing.join(f"up{number}.concat", drawing.feature, fine)
        _fusion(drawing, f"up{number}", expansion)
    found = [drawing.feature]
    for number, lateral in ((4, laterals[1]), (5, laterals[0])):
        drawing.conv(f"down{number}.reduce", _WIDTH, 3, stride=2)
        drawing.join(f"down{number}.concat", drawing.feature, lateral)
        _fusion(drawing, f"down{number}", expansion)
        found.append(drawing.feature)
    return found


def _fusion(drawing: Drawing, name: str, expansion: float) -> None:
    """Add two branches, one with three 3x3 convolutions, and their sum."""
    entry, hidden = drawing.feature, int(_WIDTH * expansion)
    drawing.conv(f"{name}.main", hidden)
    for block in range(3):
        drawing.conv(f"{name}.m{block}", hidden, 3, norm=False)
    main = drawing.feature
    drawing.branch(entry)
    drawing.conv(f"{name}.bypass", hidden)
    drawing.sum(f"{name}.add", main, drawing.feature)
    if hidden != _WIDTH:
        drawing.conv(f"{name}.widen", _WIDTH)


def _selection(
    drawing: Drawing, memory: Feature, classes: int = _CLASSES, gathers_queries: bool = True
) -> tuple[Feature, Feature]:
    """Add the heads over all places and the choice of the best; return their features (if they are gathered) and boxes."""
    drawing.branch(memory)
    drawing.linear("select.project", _WIDTH)
    drawing.norm("select.norm")
    found = drawing.feature
    drawing.linear("select.classes", classes)
    scores = drawing.feature
    drawing.moved("select.best", "topk", written=_QUERIES)
    best = drawing.last
    drawing.branch(found)
    _perceptron(drawing, "select.boxes", (_WIDTH, _WIDTH, 4))
    boxes = drawing.feature
    drawing.reading(best, boxes[0])
    drawing.moved("select.gather_boxes", "gather", written=4 * _QUERIES)
    chosen = (drawing.last, (4, _QUERIES, 1))
    if not gathers_queries:
        return found, chosen
    drawing.reading(best, found[0])
    drawing.shape = (_WIDTH, scores[1][1], 1)
    drawing.moved("select.gather_queries", "gather", written=_WIDTH * _QUERIES)
    return (drawing.last, (_WIDTH, _QUERIES, 1)), chosen


def _decoder(drawing: Drawing, memory: Feature, queries: Feature, boxes: Feature, depth: int) -> None:
    """Add the layers of the decoder, each of which corrects the boxes; the last one gives the classes."""
    for layer in range(depth):
        name = f"decoder{layer}"
        drawing.branch(boxes)
        for part, width in (("fc1", 2 * _WIDTH), ("fc2", _WIDTH)):
            drawing.linear(f"{name}.positions.{part}", width)
            drawing.share(f"positions.{part}")
            if part == "fc1":
                drawing.act(f"{name}.positions.act")
        positions = drawing.feature
        queries = _decoder_layer(drawing, name, (queries, positions, boxes, memory), 1024, _HEADS * 3 * _POINTS)
        _perceptron(drawing, f"{name}.boxes", (_WIDTH, _WIDTH, 4))
        drawing.sum(f"{name}.correct", drawing.feature, boxes)
        boxes = drawing.feature
    drawing.branch(queries)
    drawing.linear("classes", _CLASSES)
    drawing.outputs("outputs", drawing.feature, boxes)


def _decoder_layer(
    drawing: Drawing, name: str, inputs: tuple[Feature, Feature, Feature, Feature], hidden: int, samples: int
) -> Feature:
    """Add attention of queries to each other and to `samples` places of the memory, and a feed-forward part; return the queries.

    Args:
        drawing: drawing to extend.
        name: name of the layer.
        inputs: queries, their positions, their boxes, the memory.
        hidden: features inside the feed-forward part.
        samples: places per query, over all heads and levels.
    """
    queries, positions, boxes, memory = inputs
    drawing.sum(f"{name}.add_positions1", queries, positions)
    _attention(drawing, f"{name}.self", drawing.feature, drawing.feature, queries)
    _add_and_normalise(drawing, f"{name}.1", queries)
    queries = drawing.feature
    drawing.sum(f"{name}.add_positions2", queries, positions)
    _deformable(drawing, f"{name}.cross", memory, boxes, samples)
    _add_and_normalise(drawing, f"{name}.2", queries)
    entry = drawing.feature
    feed_forward(drawing, f"{name}.mlp", hidden)
    _add_and_normalise(drawing, f"{name}.3", entry)
    return drawing.feature


def _deformable(drawing: Drawing, name: str, memory: Feature, boxes: Feature, samples: int) -> None:
    """Add attention of the present queries to a few places of the levels, which each query chooses itself."""
    queries = drawing.feature
    drawing.linear(f"{name}.offsets", 2 * samples)
    offsets = drawing.last
    drawing.branch(queries)
    drawing.linear(f"{name}.weights", samples)
    drawing.moved(f"{name}.softmax", "softmax")
    weights = drawing.last
    drawing.branch(memory)
    drawing.linear(f"{name}.values", _WIDTH)
    values = drawing.size
    drawing.reading(drawing.last, offsets, weights, boxes[0])
    drawing.shape = queries[1]
    read = values + (3 * samples + 4) * drawing.places
    drawing.moved(f"{name}.gather", "gather", read=read, written=drawing.size)
    drawing.linear(f"{name}.project", _WIDTH)


def _encoder_layer(drawing: Drawing, name: str, hidden: int) -> None:
    entry = drawing.feature
    drawing.add(f"{name}.positions")
    _attention(drawing, f"{name}.attention", drawing.feature, drawing.feature, entry)
    _add_and_normalise(drawing, f"{name}.1", entry)
    entry = drawing.feature
    feed_forward(drawing, f"{name}.mlp", hidden)
    _add_and_normalise(drawing, f"{name}.2", entry)


def _attention(drawing: Drawing, name: str, asking: Feature, keys: Feature, values: Feature) -> None:
    """Add attention of one sequence of tokens to another one; keys and values may carry positions or not."""
    rows = []
    for part, source in (("query", asking), ("key", keys), ("value", values)):
        drawing.branch(source)
        drawing.linear(f"{name}.{part}", _WIDTH)
        rows.append(drawing.last)
    queries, tokens, each = asking[1][1], keys[1][1], _WIDTH // _HEADS
    drawing.shape = asking[1]
    drawing.reading(rows[0], rows[1])
    drawing.product(f"{name}.scores", queries, each, tokens, _HEADS)
    scores = _HEADS * queries * tokens
    drawing.moved(f"{name}.softmax", "softmax", read=scores, written=scores)
    drawing.reading(drawing.last, rows[2])
    drawing.product(f"{name}.values", queries, tokens, each, _HEADS)
    drawing.linear(f"{name}.project", _WIDTH)


def _add_and_normalise(drawing: Drawing, name: str, entry: Feature) -> None:
    drawing.sum(f"{name}.add", drawing.feature, entry)
    drawing.norm(f"{name}.norm")


def _perceptron(drawing: Drawing, name: str, widths: tuple[int, ...]) -> None:
    for number, width in enumerate(widths):
        drawing.linear(f"{name}.fc{number}", width, act=number < len(widths) - 1)
