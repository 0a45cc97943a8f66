"""Classifiers of convolutions and attention for mobile devices: MobileViT, EfficientFormer, two named EfficientViT, FastViT.

Sources: MobileViT from arXiv 2110.02178; EfficientFormer from arXiv 2206.01191. EfficientViT-B (linear attention at several
scales) from arXiv 2205.14756; EfficientViT-M (cascaded heads) from arXiv 2305.07027. FastViT from arXiv 2303.14189, in deployed
form. All with timm 1.0 (Apache-2.0). Learnt positions are parameters of the addition that reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from engines.workloads.families.attention import Attention, feed_forward
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.network_builder import Drawing, Feature, Row

# Expansion, channels of five stages, width of the tokens of the last three, channels of the head.
_MOBILEVITS: Mapping[str, tuple[int, tuple[int, ...], tuple[int, ...], int]] = {
    "xxs": (2, (16, 24, 48, 64, 80), (64, 80, 96), 320),
    "xs": (4, (32, 48, 64, 80, 96), (96, 120, 144), 384),
    "s": (4, (32, 64, 96, 128, 160), (144, 192, 240), 640),
}
_MOBILEVIT_DEPTHS, _MOBILEVIT_HEADS = (2, 4, 3), 4
# Widths, blocks of each stage, how many of the last ones have attention.
_EFFICIENTFORMERS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...], int]] = {
    "l1": ((48, 96, 224, 448), (3, 2, 6, 4), 1),
    "l3": ((64, 128, 320, 512), (4, 4, 12, 6), 4),
    "l7": ((96, 192, 384, 768), (6, 6, 18, 8), 8),
}
# Widths, blocks of each stage, width of a head, channels of the two layers of the classifier.
_EFFICIENTVITS_B: Mapping[str, tuple[tuple[int, ...], tuple[int, ...], int, tuple[int, int]]] = {
    "b0": ((8, 16, 32, 64, 128), (1, 2, 2, 2, 2), 16, (1024, 1280)),
    "b1": ((16, 32, 64, 128, 256), (1, 2, 3, 3, 4), 16, (1536, 1600)),
    "b2": ((24, 48, 96, 192, 384), (1, 3, 4, 4, 6), 32, (2304, 2560)),
    "b3": ((32, 64, 128, 256, 512), (1, 4, 6, 6, 9), 32, (2304, 2560)),
}
# Widths, blocks and heads of each stage, kernels of the queries.
_EFFICIENTVITS_M: Mapping[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "m0": ((64, 128, 192), (1, 2, 3), (4, 4, 4), (5, 5, 5, 5)),
    "m2": ((128, 192, 224), (1, 2, 3), (4, 3, 2), (7, 5, 3, 3)),
    "m5": ((192, 288, 384), (1, 3, 4), (3, 3, 4), (7, 5, 3, 3)),
}
_KEY = 16
# Blocks, width of the first stage, expansion of the feed-forward parts, whether the last stage has attention.
_FASTVITS: Mapping[str, tuple[tuple[int, ...], int, int, bool]] = {
    "t8": ((2, 2, 4, 2), 48, 3, False),
    "t12": ((2, 2, 6, 2), 64, 3, False),
    "s12": ((2, 2, 6, 2), 64, 4, False),
    "sa12": ((2, 2, 6, 2), 64, 4, True),
    "sa24": ((4, 4, 12, 4), 64, 4, True),
}


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of all sizes."""
    for size, fields in _MOBILEVITS.items():
        yield _document(f"mobilevit-{size}", "MobileViT", size, 256, "arXiv 2110.02178", partial(mobilevit, *fields))
    for size, shape in _EFFICIENTFORMERS.items():
        yield _document(
            f"efficientformer-{size}",
            "EfficientFormer",
            size,
            224,
            "arXiv 2206.01191",
            partial(efficientformer, *shape),
        )
    for size, layout in _EFFICIENTVITS_B.items():
        yield _document(
            f"efficientvit-{size}", "EfficientViT", size, 224, "arXiv 2205.14756", partial(efficientvit_b, *layout)
        )
    for size, parts in _EFFICIENTVITS_M.items():
        yield _document(
            f"efficientvit-{size}", "EfficientViT", size, 224, "arXiv 2305.07027", partial(efficientvit_m, *parts)
        )
    for size, blocks in _FASTVITS.items():
        yield _document(f"fastvit-{size}", "FastViT", size, 256, "arXiv 2303.14189", partial(fastvit, *blocks))


def _document(slug: str, family: str, size: str, side: int, source: str, draw: Callable[[], list[Row]]) -> LazyNetwork:
    title = f"{family}-{size.upper()}"
    short = title.replace("Efficient", "Eff").replace("Mobile", "Mob").replace("Former", "Form")
    summary = f"Image classification, {side}x{side}x3."
    whole = f"{source}; timm 1.0 (Apache-2.0); drawn from the definition"
    return drawn_network(slug, f"{title}, {side}x{side}", short, summary, whole, draw)


def mobilevit(expansion: int, channels: Sequence[int], widths: Sequence[int], head: int) -> list[Row]:
    """Return the MobileViT, 256x256: inverted residual blocks, in three stages followed by attention between every fourth pixel."""
    drawing = Drawing((3, 256, 256))
    drawing.conv("stem", 16, 3, stride=2)
    _inverted(drawing, "stage1.0", expansion, channels[0])
    for block in range(3):
        _inverted(drawing, f"stage2.{block}", expansion, channels[1], stride=2 if block == 0 else 1)
    for stage, (width, depth, output) in enumerate(zip(widths, _MOBILEVIT_DEPTHS, channels[2:], strict=True), start=3):
        _inverted(drawing, f"stage{stage}.reduce", expansion, output, stride=2)
        _mobilevit_block(drawing, f"stage{stage}", width, depth)
    drawing.conv("head", head)
    drawing.classify("classifier")
    return drawing.rows


def _mobilevit_block(drawing: Drawing, name: str, width: int, depth: int) -> None:
    entry, channels = drawing.feature, drawing.channels
    drawing.conv(f"{name}.local", channels, 3)
    drawing.conv(f"{name}.widen", width, norm=False, bias=False, act=False)
    shape = drawing.shape
    drawing.shape = (width, drawing.places, 1)
    for layer in range(depth):
        before = drawing.feature
        drawing.norm(f"{name}.{layer}.norm1")
        Attention(_MOBILEVIT_HEADS, windows=4).draw(drawing, f"{name}.{layer}.attention")
        drawing.sum(f"{name}.{layer}.add1", drawing.feature, before)
        before = drawing.feature
        drawing.norm(f"{name}.{layer}.norm2")
        feed_forward(drawing, f"{name}.{layer}.mlp", 2 * width)
        drawing.sum(f"{name}.{layer}.add2", drawing.feature, before)
    drawing.norm(f"{name}.norm")
    drawing.shape = shape
    drawing.conv(f"{name}.project", channels)
    drawing.join(f"{name}.concat", entry, drawing.feature)
    drawing.conv(f"{name}.fuse", channels, 3)


def _inverted(drawing: Drawing, name: str, expansion: int, channels: int, stride: int = 1, normed: bool = True) -> None:
    """Add an inverted residual block; the first two convolutions have a bias and no normalisation unless `normed`."""
    entry = drawing.feature
    drawing.conv(f"{name}.expand", expansion * drawing.channels, norm=normed)
    drawing.conv(f"{name}.depthwise", drawing.channels, 3, stride=stride, groups=drawing.channels, norm=normed)
    drawing.conv(f"{name}.project", channels, act=False)
    if drawing.shape == entry[1]:
        drawing.sum(f"{name}.add", drawing.feature, entry)


def efficientformer(widths: Sequence[int], depths: Sequence[int], attentive: int) -> list[Row]:
    """Return the EfficientFormer, 224x224: poolings mix pixels, attention in the last `attentive` blocks; the mean of two heads."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("stem1", widths[0] // 2, 3, stride=2, bias=True)
    drawing.conv("stem2", widths[0], 3, stride=2, bias=True)
    for stage, (width, depth) in enumerate(zip(widths, depths, strict=True), start=1):
        if stage > 1:
            drawing.conv(f"stage{stage}.reduce", width, 3, stride=2, bias=True, act=False)
        for block in range(depth):
            name = f"stage{stage}.{block}"
            if stage < len(widths) or block < depth - attentive:
                _pooling_block(drawing, name)
            else:
                drawing.shape = (width, drawing.places, 1)
                _token_block(drawing, name)
    drawing.norm("norm")
    drawing.pool_to("avgpool")
    drawing.shape = (widths[-1], 1, 1)
    entry = drawing.feature
    drawing.linear("head1", 1000)
    first = drawing.feature
    drawing.branch(entry)
    drawing.linear("head2", 1000)
    drawing.sum("mean", first, drawing.feature)
    return drawing.rows


def _pooling_block(drawing: Drawing, name: str) -> None:
    entry, width = drawing.feature, drawing.channels
    drawing.pool(f"{name}.pool", 3, 1, pad=1)
    drawing.sum(f"{name}.difference", drawing.feature, entry)
    _scale_and_add(drawing, f"{name}.1", entry)
    entry = drawing.feature
    drawing.conv(f"{name}.fc1", 4 * width, bias=True)
    drawing.conv(f"{name}.fc2", width, bias=True, act=False)
    _scale_and_add(drawing, f"{name}.2", entry)


def _token_block(drawing: Drawing, name: str) -> None:
    """Add attention of 8 heads with keys of 32 and values of 128 features over 7x7 tokens, and a feed-forward part."""
    entry, (width, tokens, _) = drawing.feature, drawing.shape
    drawing.norm(f"{name}.norm1")
    positions = ("positions", 8 * tokens**2, 8 * tokens)
    Attention(8, scored=(positions,), key=32, value=128).draw(drawing, f"{name}.attention")
    _scale_and_add(drawing, f"{name}.1", entry)
    entry = drawing.feature
    drawing.norm(f"{name}.norm2")
    feed_forward(drawing, f"{name}.mlp", 4 * width)
    _scale_and_add(drawing, f"{name}.2", entry)


def _scale_and_add(drawing: Drawing, name: str, entry: Feature) -> None:
    drawing.moved(f"{name}.scale", "eltwise", weights=drawing.channels)
    drawing.sum(f"{name}.add", drawing.feature, entry)


def efficientvit_b(widths: Sequence[int], depths: Sequence[int], head: int, classifier: tuple[int, int]) -> list[Row]:
    """Return the EfficientViT-B, 224x224: attention without softmax, linear in the pixels, in the last two stages."""
    drawing = Drawing((3, 224, 224))
    drawing.conv("stem", widths[0], 3, stride=2)
    for block in range(depths[0]):
        entry = drawing.feature
        drawing.conv(f"stem.{block}.depthwise", widths[0], 3, groups=widths[0])
        drawing.conv(f"stem.{block}.project", widths[0], act=False)
        drawing.sum(f"stem.{block}.add", drawing.feature, entry)
    for stage, (width, depth) in enumerate(zip(widths[1:], depths[1:], strict=True), start=1):
        attentive = stage > 2
        _inverted(drawing, f"stage{stage}.reduce", 4, width, stride=2, normed=not attentive)
        for block in range(1, depth + attentive):
            if attentive:
                _linear_attention(drawing, f"stage{stage}.{block}.attention", head)
            _inverted(drawing, f"stage{stage}.{block}", 4, width, normed=not attentive)
    drawing.conv("head", classifier[0])
    drawing.pool_to("avgpool")
    drawing.linear("classifier.1", classifier[1], bias=False)
    drawing.norm("classifier.norm")
    drawing.act("classifier.act")
    drawing.linear("classifier.2", 1000)
    return drawing.rows


def _linear_attention(drawing: Drawing, name: str, head: int) -> None:
    """Add attention at two scales: keys times values first, and a sum of the weights next to the values."""
    entry, (width, height, columns) = drawing.feature, drawing.shape
    drawing.conv(f"{name}.query_key_value", 3 * width, norm=False, bias=False, act=False)
    fine, places = drawing.feature, height * columns
    drawing.conv(f"{name}.coarse.depthwise", 3 * width, 5, groups=3 * width, norm=False, bias=False, act=False)
    drawing.conv(f"{name}.coarse.pointwise", 3 * width, groups=3 * width // head, norm=False, bias=False, act=False)
    drawing.join(f"{name}.scales", fine, drawing.feature)
    joint, heads = drawing.last, 2 * width // head
    kernel = 4 * width * places
    drawing.moved(f"{name}.queries_keys:act", "activation", read=kernel, written=kernel)
    queries_and_keys = drawing.last
    drawing.reading(queries_and_keys, joint)
    drawing.product(f"{name}.keys_values", head, places, head + 1, heads)
    drawing.reading(queries_and_keys, drawing.last)
    drawing.product(f"{name}.values", places, head, head + 1, heads)
    sums = places * (head + 1) * heads
    drawing.moved(f"{name}.divide", "eltwise", read=sums, written=2 * width * places)
    drawing.shape = (2 * width, height, columns)
    drawing.conv(f"{name}.project", width, act=False)
    drawing.sum(f"{name}.add", drawing.feature, entry)


def efficientvit_m(
    widths: Sequence[int], depths: Sequence[int], heads: Sequence[int], kernels: Sequence[int]
) -> list[Row]:
    """Return the EfficientViT-M, 224x224: each head reads a part of the channels and what the head before it gives out."""
    drawing = Drawing((3, 224, 224))
    for layer, share in enumerate((8, 4, 2, 1), start=1):
        drawing.conv(f"patches{layer}", widths[0] // share, 3, stride=2, act=share > 1)
    for stage, (width, depth, count) in enumerate(zip(widths, depths, heads, strict=True), start=1):
        if stage > 1:
            _merge(drawing, f"merge{stage}", width)
        for block in range(depth):
            name = f"stage{stage}.{block}"
            _filter_and_feed(drawing, f"{name}.before")
            _cascade(drawing, f"{name}.attention", kernels[:count])
            _filter_and_feed(drawing, f"{name}.after")
    drawing.pool_to("avgpool")
    drawing.norm("norm", kind="batchnorm")
    drawing.linear("head", 1000)
    return drawing.rows


def _merge(drawing: Drawing, name: str, width: int) -> None:
    _filter_and_feed(drawing, f"{name}.before")
    hidden = 4 * drawing.channels
    drawing.conv(f"{name}.expand", hidden)
    drawing.conv(f"{name}.depthwise", hidden, 3, stride=2, groups=hidden)
    drawing.squeeze_excitation(f"{name}.se", hidden // 4)
    drawing.conv(f"{name}.project", width, act=False)
    _filter_and_feed(drawing, f"{name}.after")


def _filter_and_feed(drawing: Drawing, name: str) -> None:
    entry, width = drawing.feature, drawing.channels
    drawing.conv(f"{name}.depthwise", width, 3, groups=width, act=False)
    drawing.sum(f"{name}.add1", drawing.feature, entry)
    entry = drawing.feature
    drawing.conv(f"{name}.fc1", 2 * width)
    drawing.conv(f"{name}.fc2", width, act=False)
    drawing.sum(f"{name}.add2", drawing.feature, entry)


def _cascade(drawing: Drawing, name: str, kernels: Sequence[int]) -> None:
    """Add attention within windows of at most 7x7 pixels, head by head."""
    entry, (width, height, columns) = drawing.feature, drawing.shape
    value, tokens = width // len(kernels), min(height, 7) ** 2
    windows = height * columns // tokens
    part = (entry[0], (value, height, columns))
    results: list[Feature] = []
    for head, kernel in enumerate(kernels):
        if results:
            drawing.sum(f"{name}.part{head}.add", results[-1], part)
        else:
            drawing.branch(part)
        drawing.conv(f"{name}.part{head}.query_key_value", 2 * _KEY + value, act=False)
        joint, scores = drawing.feature, windows * tokens**2
        drawing.branch(joint, _KEY)
        drawing.conv(f"{name}.part{head}.query", _KEY, kernel, groups=_KEY, act=False)
        drawing.reading(drawing.last, joint[0])
        drawing.product(f"{name}.scores{head}", tokens, _KEY, tokens, windows)
        read = scores + tokens**2
        drawing.moved(f"{name}.positions{head}", "eltwise", read=read, written=scores, weights=tokens)
        drawing.moved(f"{name}.softmax{head}", "softmax", read=scores, written=scores)
        drawing.reading(drawing.last, joint[0])
        drawing.product(f"{name}.values{head}", tokens, tokens, value, windows)
        results.append((drawing.last, part[1]))
    drawing.join(f"{name}.join", *results)
    drawing.act(f"{name}.act")
    drawing.conv(f"{name}.project", width, act=False)
    drawing.sum(f"{name}.add", drawing.feature, entry)


def fastvit(depths: Sequence[int], width: int, expansion: int, attentive: bool) -> list[Row]:
    """Return the FastViT, 256x256: depthwise convolutions mix pixels, in the last stage attention if it is `attentive`."""
    drawing = Drawing((3, 256, 256))
    drawing.conv("stem1", width, 3, stride=2, norm=False)
    drawing.conv("stem2", width, 3, stride=2, groups=width, norm=False)
    drawing.conv("stem3", width, norm=False)
    for stage, depth in enumerate(depths, start=1):
        attends = attentive and stage == len(depths)
        if stage > 1:
            drawing.conv(
                f"stage{stage}.reduce.depthwise", 2 * drawing.channels, 7, stride=2, groups=drawing.channels, norm=False
            )
            drawing.conv(f"stage{stage}.reduce.pointwise", drawing.channels, norm=False)
        if attends:
            drawing.conv(f"stage{stage}.positions", drawing.channels, 7, groups=drawing.channels, norm=False, act=False)
        for block in range(depth):
            _fastvit_block(drawing, f"stage{stage}.{block}", expansion, attends)
    drawing.conv("head", 2 * drawing.channels, 3, groups=drawing.channels, norm=False, act=False)
    drawing.squeeze_excitation("head.se", drawing.channels // 16)
    drawing.act("head:act")
    drawing.classify("classifier")
    return drawing.rows


def _fastvit_block(drawing: Drawing, name: str, expansion: int, attends: bool) -> None:
    entry, shape, width = drawing.feature, drawing.shape, drawing.channels
    if attends:
        drawing.norm(f"{name}.norm", kind="batchnorm")
        drawing.shape = (width, drawing.places, 1)
        Attention(width // 32, bias=False).draw(drawing, f"{name}.attention")
        drawing.shape = shape
        _scale_and_add(drawing, f"{name}.1", entry)
    else:
        drawing.conv(f"{name}.mix", width, 3, groups=width, norm=False, act=False)
    entry = drawing.feature
    drawing.conv(f"{name}.filter", width, 7, groups=width, act=False)
    drawing.conv(f"{name}.fc1", expansion * width, norm=False)
    drawing.conv(f"{name}.fc2", width, norm=False, act=False)
    _scale_and_add(drawing, f"{name}.2", entry)
