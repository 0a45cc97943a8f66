"""The networks of MLPerf Tiny: keyword spotting, person detection, image classification, anomaly detection, streaming wake word.

Source: mlcommons/tiny (Apache-2.0), `benchmark/training`, and arXiv 2106.07597. Convolutions of the first three have a bias next to
their normalisation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.mobile_classifiers import draw_mobilenet_v1
from engines.workloads.families.network_builder import Drawing, Row

_SOURCE = "mlcommons/tiny (Apache-2.0), MLPerf Tiny v1.3; drawn from the definition"
# Channels and kernel of each separable convolution over time.
_WAKE_WORD = ((128, 3), (64, 5), (64, 10), (32, 15))


def networks() -> Iterator[LazyNetwork]:
    """Yield the documents of the five benchmarks."""
    entries: tuple[tuple[str, str, str, str, Callable[[], list[Row]]], ...] = (
        (
            "kws",
            "DS-CNN, keyword spotting, 49x10",
            "Tiny KWS",
            "Keyword spotting: 12 spoken words, 49 frames of 10 features.",
            ds_cnn,
        ),
        (
            "vww",
            "MobileNet v1 0.25, person detection, 96x96",
            "Tiny VWW",
            "Image classification: a person or none, 96x96x3.",
            person_detection,
        ),
        (
            "ic",
            "ResNet-8, image classification, 32x32",
            "Tiny IC",
            "Image classification: ten classes of CIFAR-10, 32x32x3.",
            resnet8,
        ),
        (
            "ad",
            "Autoencoder, anomaly detection, 640",
            "Tiny AD",
            "Anomaly detection in sounds of machines, 5 frames of 128 features.",
            autoencoder,
        ),
        (
            "sww",
            "1-D DS-CNN, streaming wake word, 30x40",
            "Tiny SWW",
            "Wake word detection in a stream, 30 frames of 40 features.",
            wake_word,
        ),
    )
    for slug, title, short, summary, draw in entries:
        yield drawn_network(f"mlperf-tiny-{slug}", title, short, summary, _SOURCE, draw)


def ds_cnn() -> list[Row]:
    """Return the DS-CNN: a convolution of 10x4 and four separable ones."""
    drawing = Drawing((1, 49, 10))
    drawing.conv("stem", 64, 10, columns=4, stride=2, pad=(4, 5, 1, 1), bias=True)
    for block in range(1, 5):
        drawing.conv(f"block{block}.depthwise", 64, 3, groups=64, bias=True)
        drawing.conv(f"block{block}.pointwise", 64, bias=True)
    drawing.classify("classifier", 12)
    return drawing.rows


def person_detection() -> list[Row]:
    """Return the MobileNet v1 with a quarter of the channels, two classes."""
    drawing = Drawing((3, 96, 96))
    draw_mobilenet_v1(drawing, 0.25, bias=True)
    drawing.classify("classifier", 2)
    return drawing.rows


def resnet8() -> list[Row]:
    """Return the ResNet of three blocks; shortcuts that change the size are convolutions without normalisation."""
    drawing = Drawing((3, 32, 32))
    drawing.conv("stem", 16, 3, bias=True)
    for block, width in enumerate((16, 32, 64), start=1):
        name, entry, stride = f"block{block}", drawing.feature, 1 if block == 1 else 2
        drawing.conv(f"{name}.conv1", width, 3, stride=stride, bias=True)
        drawing.conv(f"{name}.conv2", width, 3, bias=True, act=False)
        main = drawing.feature
        if stride == 2:
            drawing.branch(entry)
            drawing.conv(f"{name}.shortcut", width, stride=2, norm=False, act=False)
            entry = drawing.feature
        drawing.sum(f"{name}.add", main, entry)
        drawing.act(f"{name}.act")
    drawing.classify("classifier", 10)
    return drawing.rows


def autoencoder() -> list[Row]:
    """Return the autoencoder of ten linear layers, the narrowest of which gives eight features."""
    drawing = Drawing((640, 1, 1))
    for layer, width in enumerate((128, 128, 128, 128, 8, 128, 128, 128, 128), start=1):
        drawing.linear(f"layer{layer}", width)
        drawing.norm(f"layer{layer}:norm", kind="batchnorm")
        drawing.act(f"layer{layer}:act")
    drawing.linear("output", 640)
    return drawing.rows


def wake_word() -> list[Row]:
    """Return the network over a window of 30 frames, which each convolution shortens until one is left."""
    drawing = Drawing((40, 30, 1), dimensions=1)
    for block, (width, kernel) in enumerate(_WAKE_WORD, start=1):
        channels = drawing.channels
        drawing.conv(
            f"block{block}.depthwise", channels, kernel, pad=0, groups=channels, bias=False, norm=False, act=False
        )
        drawing.conv(f"block{block}.pointwise", width)
    drawing.linear("classifier", 3)
    return drawing.rows
