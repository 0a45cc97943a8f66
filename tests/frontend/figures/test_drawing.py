from __future__ import annotations

import math

import pytest

from frontend.figures import drawing
from frontend.figures.drawing import Box, filled, fitted, rounded, text_width


def test_a_rounded_box_is_closed_and_stays_inside():
    x, y = drawing.rounded(Box(10, 20, 50, 40), 6)
    assert x[-1] is None and y[-1] is None
    assert (x[0], y[0]) == (x[-2], y[-2])
    assert min(x[:-1]) == 10 and max(x[:-1]) == 50 and min(y[:-1]) == 20 and max(y[:-1]) == 40


def test_an_arrow_ends_in_its_tip():
    x, y = drawing.arrow(0, 0, 30, 0, 4)
    assert max(v for v in x if v is not None) == 30
    assert y[x.index(30)] == 0


@pytest.mark.parametrize("angle", [0, 90, 180, 270, 33])
def test_an_arrow_is_as_wide_in_every_direction(angle):
    end = (40 * math.cos(math.radians(angle)), 40 * math.sin(math.radians(angle)))
    x, y = drawing.arrow(0, 0, *end, 4)
    off = [
        abs(a * math.sin(math.radians(angle)) - b * math.cos(math.radians(angle)))
        for a, b in zip(x[:-1], y[:-1], strict=True)
    ]
    assert max(off) == pytest.approx(2.6 + 4 * 0.95, abs=0.02)


@pytest.mark.parametrize(
    ("models", "codes"),
    [
        (("GPT-2 L", "BERT-L", "U-Net", "ResNet-50"), ("GPT2", "BERT", "UNet", "RN50")),
        (("GPT-2 L", "GoogLeNet", "res8-narrow"), ("GPT2", "GLN", "res8")),
        (("BERT-L", "GPT-2", "BERT-B"), ("BERTL", "GPT2", "BERTB")),
        (("U-Net", "U-Net", "?"), ("UNet.1", "UNet.2", "?")),
        (("gpt2-large-128", "resnet50", "mobilenet-v2"), ("gpt2", "r50", "mv2")),
        (("vgg16", "vgg19", "bert-base-128", "bert-large-128"), ("v16", "v19", "bb128", "bl128")),
        ((), ()),
    ],
)
def test_short_names_tell_models_apart(models, codes):
    assert tuple(look.code for look in drawing.model_looks(models, "light")) == codes


def test_layers_are_counted_from_one():
    assert drawing.layers_words(0, 42) == "1–43"
    assert drawing.layers_words(43, 43) == "44"


def test_markup_has_no_width():
    assert drawing.text_width("<b>C4</b>", 11) == drawing.text_width("C4", 11)


def test_no_corner_is_left_out_of_an_outline() -> None:
    trace = filled([rounded(Box(0, 0, 40, 20), 6)], "#fff", "#000")
    assert trace["line"]["simplify"] is False
    turned = {(round(40 - x, 2), round(20 - y, 2)) for x, y in zip(trace["x"], trace["y"], strict=True)}
    assert turned == set(zip(trace["x"], trace["y"], strict=True))


def test_a_name_that_is_too_long_lacks_its_middle_so_that_names_that_begin_alike_stay_apart() -> None:
    names = [f"block1.layers.{number}.attention.conv.{number}" for number in range(3)]
    shown = [fitted(name, 70, 10) for name in names]
    assert len(set(shown)) == 3 and all(text_width(words, 10) <= 70 for words in shown)
    assert all(words.startswith("block") and words.endswith(f".{number}") for number, words in enumerate(shown))
    assert fitted("stem", 70, 10) == "stem" and fitted("attention", 1, 10) == ""
