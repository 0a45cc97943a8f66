"""Image classifiers of torchvision 0.15.2, at the input size of their first published weights.

All 80 models of the pool of karatzas-2024 (MapFormer) but six whose tables are traced: googlenet, inception-v3,
mobilenet-v2, resnet50, vgg16 and vgg19. Slugs are torchvision's names with hyphens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from engines.workloads.families.dense import densenet, shufflenet_v2
from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.mobile import efficientnet, efficientnet_v2, mnasnet, mobilenet_v3
from engines.workloads.families.network_builder import Row
from engines.workloads.families.residual import RegNetSpace, regnet, resnet
from engines.workloads.families.sequential import alexnet, squeezenet, vgg
from engines.workloads.families.vision_transformers import SwinShape, convnext, maxvit_t, swin, vit

# Slug, title, title for narrow places, what draws it, side of the input.
_Entry = tuple[str, str, str, Callable[[], list[Row]], int]

# Side of the input, times the channels, times the blocks of B0.
_EFFICIENTNETS = (
    (224, 1.0, 1.0), (240, 1.0, 1.1), (288, 1.1, 1.2), (300, 1.2, 1.4), (380, 1.4, 1.8), (456, 1.6, 2.2),
    (528, 1.8, 2.6), (600, 2.0, 3.1),
)  # fmt: skip
_REGNETS: Mapping[str, RegNetSpace] = {
    "y-400mf": RegNetSpace(16, 48, 27.89, 2.09, 8, squeeze=True),
    "y-800mf": RegNetSpace(14, 56, 38.84, 2.4, 16, squeeze=True),
    "y-1-6gf": RegNetSpace(27, 48, 20.71, 2.65, 24, squeeze=True),
    "y-3-2gf": RegNetSpace(21, 80, 42.63, 2.66, 24, squeeze=True),
    "y-8gf": RegNetSpace(17, 192, 76.82, 2.19, 56, squeeze=True),
    "y-16gf": RegNetSpace(18, 200, 106.23, 2.48, 112, squeeze=True),
    "y-32gf": RegNetSpace(20, 232, 115.89, 2.53, 232, squeeze=True),
    "y-128gf": RegNetSpace(27, 456, 160.83, 2.52, 264, squeeze=True),
    "x-400mf": RegNetSpace(22, 24, 24.48, 2.54, 16),
    "x-800mf": RegNetSpace(16, 56, 35.73, 2.28, 16),
    "x-1-6gf": RegNetSpace(18, 80, 34.01, 2.25, 24),
    "x-3-2gf": RegNetSpace(25, 88, 26.31, 2.25, 48),
    "x-8gf": RegNetSpace(23, 80, 49.56, 2.88, 120),
    "x-16gf": RegNetSpace(22, 216, 55.59, 2.1, 128),
    "x-32gf": RegNetSpace(23, 320, 69.86, 2.0, 168),
}
# Depths of the four stages, width of the first, heads.
_SWINS: Mapping[str, tuple[tuple[int, ...], int, tuple[int, ...]]] = {
    "t": ((2, 2, 6, 2), 96, (3, 6, 12, 24)),
    "s": ((2, 2, 18, 2), 96, (3, 6, 12, 24)),
    "b": ((2, 2, 18, 2), 128, (4, 8, 16, 32)),
}
_SHUFFLENETS: Mapping[str, tuple[int, ...]] = {
    "0-5": (24, 48, 96, 192, 1024),
    "1-0": (24, 116, 232, 464, 1024),
    "1-5": (24, 176, 352, 704, 1024),
    "2-0": (24, 244, 488, 976, 2048),
}


def classifiers() -> dict[str, LazyNetwork]:
    """Return slug -> document of every classifier; nothing is drawn yet."""
    families = (_plain, _residual, _regnets, _dense, _mobile, _transformers)
    return {entry[0]: _document(*entry) for family in families for entry in family()}


def _document(slug: str, title: str, short: str, draw: Callable[[], list[Row]], side: int) -> LazyNetwork:
    summary = f"Image classification, {side}x{side}x3."
    source = f"torchvision 0.15.2, {slug.replace('-', '_')}; drawn from the definition"
    return drawn_network(slug, f"{title}, {side}x{side}", short, summary, source, draw)


def _plain() -> Iterator[_Entry]:
    yield "alexnet", "AlexNet", "AlexNet", alexnet, 224
    for depth in (11, 13, 16, 19):
        if depth in (11, 13):
            yield f"vgg{depth}", f"VGG-{depth}", f"VGG-{depth}", partial(vgg, depth), 224
        draw = partial(vgg, depth, norm=True)
        yield f"vgg{depth}-bn", f"VGG-{depth} with batch normalisation", f"VGG-{depth} BN", draw, 224
    for version in ("1_0", "1_1"):
        words = version.replace("_", ".")
        name = f"squeezenet{version.replace('_', '-')}"
        yield name, f"SqueezeNet {words}", f"SqueezeN {words}", partial(squeezenet, version), 224


def _residual() -> Iterator[_Entry]:
    of_50, of_101 = (3, 4, 6, 3), (3, 4, 23, 3)
    yield "resnet18", "ResNet-18", "ResNet-18", partial(resnet, (2, 2, 2, 2), bottleneck=False), 224
    yield "resnet34", "ResNet-34", "ResNet-34", partial(resnet, of_50, bottleneck=False), 224
    yield "resnet101", "ResNet-101", "ResNet-101", partial(resnet, of_101), 224
    yield "resnet152", "ResNet-152", "ResNet-152", partial(resnet, (3, 8, 36, 3)), 224
    for depth, depths, groups, width in ((50, of_50, 32, 4), (101, of_101, 32, 8), (101, of_101, 64, 4)):
        size = f"{groups}x{width}d"
        draw = partial(resnet, depths, groups=groups, base_width=width)
        yield f"resnext{depth}-{size}", f"ResNeXt-{depth} {size}", f"RNX{depth} {size}", draw, 224
    for depth, depths in ((50, of_50), (101, of_101)):
        draw = partial(resnet, depths, base_width=128)
        yield f"wide-resnet{depth}-2", f"Wide ResNet-{depth}-2", f"WRN-{depth}-2", draw, 224


def _regnets() -> Iterator[_Entry]:
    for name, space in _REGNETS.items():
        series, _, size = name.partition("-")
        size = size.replace("-", ".").upper()
        side = 384 if name == "y-128gf" else 224
        title, short = f"RegNet-{series.upper()} {size}", f"RegNet{series.upper()} {size[:-1]}"
        yield f"regnet-{name}", title, short, partial(regnet, space, side), side


def _dense() -> Iterator[_Entry]:
    for depth, depths, growth, stem in (
        (121, (6, 12, 24, 16), 32, 64),
        (161, (6, 12, 36, 24), 48, 96),
        (169, (6, 12, 32, 32), 32, 64),
        (201, (6, 12, 48, 32), 32, 64),
    ):
        draw = partial(densenet, depths, growth, stem)
        yield f"densenet{depth}", f"DenseNet-{depth}", f"DenseNet-{depth}", draw, 224
    for name, widths in _SHUFFLENETS.items():
        words = f"x{name.replace('-', '.')}"
        yield (
            f"shufflenet-v2-x{name}",
            f"ShuffleNet v2 {words}",
            f"ShuffV2 {words}",
            partial(shufflenet_v2, widths),
            224,
        )


def _mobile() -> Iterator[_Entry]:
    for name, multiplier in (("0-5", 0.5), ("0-75", 0.75), ("1-0", 1.0), ("1-3", 1.3)):
        words = name.replace("-", ".")
        yield f"mnasnet{name}", f"MNASNet {words}", f"MNASNet {words}", partial(mnasnet, multiplier), 224
    for size in ("large", "small"):
        yield f"mobilenet-v3-{size}", f"MobileNet v3 {size}", f"MobV3 {size}", partial(mobilenet_v3, size), 224
    for number, (side, width, depth) in enumerate(_EFFICIENTNETS):
        draw = partial(efficientnet, side, width, depth)
        yield f"efficientnet-b{number}", f"EfficientNet-B{number}", f"EffNet-B{number}", draw, side
    for size, side in (("s", 384), ("m", 480), ("l", 480)):
        title, short = f"EfficientNet v2 {size.upper()}", f"EffNetV2-{size.upper()}"
        yield f"efficientnet-v2-{size}", title, short, partial(efficientnet_v2, size, side), side
    # At the size at which other sources measure them.
    yield "efficientnet-b4-224", "EfficientNet-B4", "EffB4-224", partial(efficientnet, 224, 1.4, 1.8), 224
    yield "efficientnet-v2-s-224", "EfficientNet v2 S", "EffV2-S-224", partial(efficientnet_v2, "s", 224), 224


def _transformers() -> Iterator[_Entry]:
    for size, side, patch, depth, heads, width in (
        ("b", 224, 16, 12, 12, 768),
        ("b", 224, 32, 12, 12, 768),
        ("l", 224, 16, 24, 16, 1024),
        ("l", 224, 32, 24, 16, 1024),
        ("h", 518, 14, 32, 16, 1280),
    ):
        words = f"ViT-{size.upper()}/{patch}"
        yield f"vit-{size}-{patch}", words, words, partial(vit, side, patch, depth, heads, width), side
    for version, side, window in ((1, 224, 7), (2, 256, 8)):
        for size, (depths, width, of_stages) in _SWINS.items():
            shape = SwinShape(side, window, width, depths, of_stages, version)
            name, words = ("swin", "Swin") if version == 1 else ("swin-v2", "Swin v2")
            title = f"{words}-{size.upper()}"
            yield f"{name}-{size}", title, title, partial(swin, shape), side
    yield "maxvit-t", "MaxViT-T", "MaxViT-T", maxvit_t, 224
    for size, depth, first in (("tiny", 9, 96), ("small", 27, 96), ("base", 27, 128), ("large", 27, 192)):
        draw = partial(convnext, (3, 3, depth, 3), tuple(first * 2**stage for stage in range(4)))
        yield f"convnext-{size}", f"ConvNeXt {size}", f"ConvNeXt-{size[0].upper()}", draw, 224
