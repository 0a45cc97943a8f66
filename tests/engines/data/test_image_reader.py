"""Images of many formats and depths: their pixels come over as people see them, or they are refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engines.contract.errors import ProblemError
from engines.data.image_reader import _BY_ENDING, FORMATS, ImageReader, image_endings


def read(folder: Path, image: Image.Image | bytes, ending: str = "png", **save: Any) -> np.ndarray:
    """An image of a file as the reader gives it, 16 x 16 x 3."""
    path = folder / f"image.{ending}"
    if isinstance(image, bytes):
        path.write_bytes(image)
    else:
        image.save(path, **save)
    return ImageReader(folder, 16).read(path).transpose(1, 2, 0)


def grey(value: float, dtype: str) -> Image.Image:
    return Image.fromarray(np.full((16, 16), value, dtype))


ENDINGS = ("webp", "tif", "gif", "bmp", "ppm", "jp2", "tga", "avif", "qoi", "ico", "dds", "pcx", "sgi", "jfif")


@pytest.mark.parametrize("ending", ENDINGS)
def test_formats_of_pillow_are_read(tmp_path: Path, ending: str) -> None:
    assert set(read(tmp_path, Image.new("RGB", (16, 16), (250, 250, 250)), ending).ravel()) <= {249, 250, 251}


def test_no_format_starts_another_program_or_lacks_a_signature() -> None:
    Image.init()
    assert not {"EPS", "WMF"}.intersection(FORMATS)
    assert all(Image.OPEN[name][1] is not None for name in FORMATS if name != "PCD")  # looks for its mark by itself
    assert Image.OPEN[_BY_ENDING][1] is None
    assert not {".eps", ".ps", ".wmf", ".emf", ".pdf"} & image_endings().keys()


def test_a_file_is_read_by_its_content(tmp_path: Path) -> None:
    Image.new("RGB", (16, 16), (9, 9, 9)).save(tmp_path / "a.gif")
    assert set(read(tmp_path, (tmp_path / "a.gif").read_bytes(), "jpg").ravel()) == {9}
    with pytest.raises(ProblemError, match=r"image\.png"):
        read(tmp_path, b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")


@pytest.mark.parametrize("ending", ["png", "jpg", "webp", "tif"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_images_are_turned_by_their_orientation(tmp_path: Path, turn: int, ending: str) -> None:
    # Where EXIF's orientation puts the first row and the first column of the stored image.
    side = {1: "tl", 2: "tr", 3: "br", 4: "bl", 5: "lt", 6: "rt", 7: "rb", 8: "lb"}[turn]
    stored = np.zeros((32, 32, 3), np.uint8)
    stored[:16, :, 0], stored[:, :16, 1] = 255, 255  # the upper half has red, the left half green
    exif = Image.Exif()
    exif[0x0112] = turn
    found = read(tmp_path, Image.fromarray(stored), ending, exif=exif)
    halves = {"t": np.s_[:8, :], "b": np.s_[8:, :], "l": np.s_[:, :8], "r": np.s_[:, 8:]}
    assert all(found[(*halves[half], colour)].mean() > 200 for colour, half in enumerate(side))


def with_alpha(mode: str) -> Image.Image:
    """An image whose left half can be seen, blue or grey, and whose right half cannot, with another colour below."""
    colours: dict[str, Any] = {"RGBA": ((0, 0, 255, 255), (255, 0, 0, 0)), "LA": ((80, 255), (9, 0))}
    image = Image.new(mode, (16, 16), colours[mode][0])
    image.paste(colours[mode][1], (8, 0, 16, 16))
    return image


def by_palette() -> Image.Image:
    image = Image.new("P", (16, 16), 0)
    image.putpalette([0, 0, 255, 255, 0, 0])
    image.paste(1, (8, 0, 16, 16))
    return image


def by_value(mode: str) -> Image.Image:
    values = np.full((16, 16), 80 * 257 if mode == "I;16" else 80, np.uint16 if mode == "I;16" else np.uint8)
    values[:, 8:] = 7
    return Image.fromarray(values)


@pytest.mark.parametrize(
    ("image", "ending", "save", "left"),
    [
        (with_alpha("RGBA"), "png", {}, (0, 0, 255)), (with_alpha("RGBA"), "webp", {"lossless": True}, (0, 0, 255)),
        (with_alpha("RGBA"), "tif", {}, (0, 0, 255)), (with_alpha("LA"), "png", {}, (80, 80, 80)),
        (by_palette(), "png", {"transparency": 1}, (0, 0, 255)), (by_palette(), "png", {"transparency": b"\xff\0"}, (0, 0, 255)),
        (by_palette(), "gif", {"transparency": 1}, (0, 0, 255)), (by_value("L"), "png", {"transparency": 7}, (80, 80, 80)),
        (by_value("I;16"), "png", {"transparency": 7}, (80, 80, 80)),
    ],
)  # fmt: skip
def test_transparent_parts_are_white(
    tmp_path: Path, image: Image.Image, ending: str, save: dict[str, Any], left: tuple[int, ...]
) -> None:
    found = read(tmp_path, image, ending, **save)
    assert {tuple(pixel) for pixel in found[:, :8].reshape(-1, 3).tolist()} == {left}
    assert set(found[:, 8:].ravel()) == {255}


def test_half_transparent_parts_let_white_through(tmp_path: Path) -> None:
    found = read(tmp_path, Image.new("RGBA", (16, 16), (0, 0, 100, 51)))  # a fifth of the colour, four fifths of 255
    assert found.reshape(-1, 3) == pytest.approx(np.full((256, 3), (204, 204, 224)), abs=1)


PGM_OF_12_BITS = b"P5 16 16 4095\n" + (2048).to_bytes(2, "big") * 256


@pytest.mark.parametrize(
    ("image", "ending", "save", "right"),
    [
        (grey(40000, "u2"), "png", {}, 156),  # 40,000 / 257 = 155.6
        (grey(10000, "u2"), "tif", {}, 39), (grey(40000, ">u2"), "tif", {}, 156), (grey(40000, "i4"), "tif", {}, 156),
        (grey(40000, "u2"), "tif", {"tiffinfo": {262: 0}}, 99),  # values grow towards black: 255 - 156
        (PGM_OF_12_BITS, "pgm", {}, 128),  # 2048 / 4095 x 255 = 127.5
        (grey(0.5, "f4"), "tif", {}, 128), (grey(200, "u1"), "tif", {"tiffinfo": {262: 0}}, 200),
        (Image.new("1", (16, 16), 1), "png", {}, 255), (Image.new("CMYK", (16, 16), (0, 0, 0, 55)), "tif", {}, 200),
        (Image.new("CMYK", (16, 16), (0, 0, 0, 55)), "jpg", {}, 200),
    ],
)  # fmt: skip
def test_other_depths_are_scaled_and_never_clipped(
    tmp_path: Path, image: Image.Image | bytes, ending: str, save: dict[str, Any], right: int
) -> None:
    assert set(read(tmp_path, image, ending, **save).ravel()) == {right}


def test_images_of_16_bits_are_counted_with_their_largest_value(tmp_path: Path) -> None:
    reader = ImageReader(tmp_path, 4)
    for name, value in (("a.png", 900), ("b.png", 700)):
        grey(value, "u2").save(tmp_path / name)
        reader.read(tmp_path / name)
    assert reader.notes() == [
        "Images of 16 bits, scaled to 8 bits by 1/257: 2. Their largest value is 900 of 65\u2009535."
    ]


@pytest.mark.parametrize(("value", "dtype"), [(70000, "i4"), (-1, "i4"), (1.5, "f4"), (np.nan, "f4")])
def test_values_without_a_range_are_refused(tmp_path: Path, value: float, dtype: str) -> None:
    with pytest.raises(ProblemError, match=r"image\.tif \(values from .* scale them"):
        read(tmp_path, grey(value, dtype), "tif")


@pytest.mark.parametrize("ending", ["gif", "tif", "png", "webp"])
def test_the_first_frame_is_read_and_said(tmp_path: Path, ending: str) -> None:
    first, second = (Image.new("RGB", (8, 8), (shade, 0, 0)) for shade in (255, 0))
    first.save(tmp_path / f"a.{ending}", save_all=True, append_images=[second])
    reader = ImageReader(tmp_path, 4)
    assert set(reader.read(tmp_path / f"a.{ending}")[0].ravel()) <= {254, 255}
    assert reader.notes() == ["Images with several frames, of which the first was read: 1."]


def test_large_images_are_refused_before_they_are_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.data.image_reader.MAX_IMAGE_PIXELS", 95)
    with pytest.raises(ProblemError, match=r"at most 95 pixels.*image\.png of 96 pixels"):
        read(tmp_path, Image.new("L", (12, 8)))
    with pytest.raises(ProblemError, match=r"at most 95 pixels"):
        read(tmp_path, b"P5 9000 9000 255\n", "pgm")
    with pytest.raises(ProblemError, match=r"image\.pgm \(Image size"):
        read(tmp_path, b"P5 90000 90000 255\n", "pgm")
