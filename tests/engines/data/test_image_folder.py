"""Folders of images: which files are read, in which split and class, and how their pixels come over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet
from engines.data.image_folder import _BY_ENDING, FORMATS, read_image_folder


def images(folder: Path, count: int = 10, image: Image.Image | None = None, ending: str = "png") -> None:
    """Images of a class, in shades of grey unless `image` is given."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (image or Image.new("L", (12, 8), 10 * number)).save(folder / f"{number}.{ending}")


def sizes(data: DataSet) -> dict[str, int]:
    return {name: len(split) for name, split in data.splits().items()}


def first_image(folder: Path, image: Image.Image, ending: str = "png", size_px: int = 4, **save: object) -> np.ndarray:
    """One image as the reader gives it, height x width x 3."""
    for label in "ab":
        (folder / label).mkdir(exist_ok=True)
        for number in range(6):
            image.save(folder / label / f"{number}.{ending}", **save)
    return np.asarray(read_image_folder(folder, size_px).train.features[0]).transpose(1, 2, 0)


def test_an_image_folder_is_scaled_and_split(tmp_path: Path) -> None:
    for label, shade in (("cat", 200), ("dog", 20)):
        images(tmp_path / label, 10, Image.new("L", (20, 12), shade))
    data = read_image_folder(tmp_path, 8)
    assert data.classes == ("cat", "dog") and data.example_shape == (3, 8, 8)
    assert sizes(data) == {"train": 14, "validation": 2, "test": 4}
    assert data.notes == ("Cut off the training examples, about 15 % of each class: 2 for validation and 4 for test.",)
    assert set(data.test.features[data.test.labels == 1].ravel()) == {20}


@pytest.mark.parametrize("damaged", [b"no image", b"\x89PNG\r\n\x1a\n", b""])
def test_a_damaged_image_is_named_with_its_class(tmp_path: Path, damaged: bytes) -> None:
    images(tmp_path / "train" / "cat"), images(tmp_path / "train" / "dog")
    (tmp_path / "train" / "dog" / "3.png").write_bytes(damaged)
    with pytest.raises(ProblemError, match=r"repair it or take it out.*train/dog/3\.png"):
        read_image_folder(tmp_path, 8)


@pytest.mark.parametrize(
    ("folders", "found", "cut"),
    [
        (("train", "validation", "test"), (20, 20, 20), ""),
        (("Train", "VAL", "Test"), (20, 20, 20), ""),
        (("training", "valid", "testing"), (20, 20, 20), ""),
        (("train", "test"), (16, 4, 20), "4 for validation."),
        (("train", "dev"), (16, 20, 4), "4 for test."),
        (("train",), (14, 2, 4), "2 for validation and 4 for test."),
    ],
)
def test_splits_are_known_by_usual_names_and_the_missing_ones_are_cut_off(
    tmp_path: Path, folders: tuple[str, ...], found: tuple[int, ...], cut: str
) -> None:
    for split in folders:
        images(tmp_path / split / "cat"), images(tmp_path / split / "dog")
    data = read_image_folder(tmp_path, 4)
    assert tuple(sizes(data).values()) == found and data.classes == ("cat", "dog")
    assert (not cut and not data.notes) or data.notes[0].endswith(cut)


def test_a_class_may_be_called_train(tmp_path: Path) -> None:
    images(tmp_path / "train"), images(tmp_path / "car")
    assert read_image_folder(tmp_path, 4).classes == ("car", "train")


@pytest.mark.parametrize(
    ("folders", "match"),
    [
        (("cat",), "at least two folders of images"),
        (("train", "test"), "train, validation and test folders"),  # images without classes
        (("val/cat", "test/cat"), "train, validation and test folders"),
        (("train/cat", "train/dog", "val/cat", "valid/cat"), "one folder for the validation split"),
        (("train/cat", "train/dog", "extra/cat"), "train beside extra"),
        (("train/cat", "train/dog", "test/cat", "test/dog", "test/owl"), "no image of owl in train"),
        (("train/cat", "train/dog", "test"), "no image of cat, dog in test"),  # without classes
        (("train/Cat", "train/dog", "test/cat", "test/dog"), "no image of cat in train"),
    ],
)
def test_folders_that_can_be_read_in_two_ways_are_refused(tmp_path: Path, folders: tuple[str, ...], match: str) -> None:
    for folder in folders:
        images(tmp_path / folder)
    with pytest.raises(ProblemError, match=match):
        read_image_folder(tmp_path, 4)


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    for split in ("train", "val"):
        images(tmp_path / split / "cat"), images(tmp_path / split / "dog")
    images(tmp_path / "train" / "owl"), images(tmp_path / "extra" / "fox", 3)
    (
        images(tmp_path / "train" / ".ipynb_checkpoints"),
        images(tmp_path / "train" / "__MACOSX"),
        images(tmp_path / ".git"),
    )
    (tmp_path / "train" / "empty").mkdir()
    for name in ("train/cat/a.heic", "train/cat/b.HEIC", "val/dog/Thumbs.db", "README", "train/labels.csv"):
        (tmp_path / name).write_bytes(b"x")
    Image.new("L", (4, 4)).save(tmp_path / "train" / "outside.png")
    data = read_image_folder(tmp_path, 4)
    assert data.classes == ("cat", "dog", "owl") and len(data.train) + len(data.test) == 30
    said = " ".join(data.notes)
    for words in ("extra (3 images)", "no classes: empty", "validation split has no image of owl", "2 .heic", "1 .csv",
                  "1 without an ending", "1 images outside of a class", "4 with names that begin with a point"):  # fmt: skip
        assert words in said


def test_folders_within_a_class_are_read_once(tmp_path: Path) -> None:
    images(tmp_path / "cat"), images(tmp_path / "cat" / "white" / "long-haired"), images(tmp_path / "dog")
    (tmp_path / "cat" / "again").symlink_to(tmp_path / "cat")
    (tmp_path / "dog" / "circle.png").symlink_to(tmp_path / "dog" / "circle.png")
    os.mkfifo(tmp_path / "dog" / "pipe.png")  # opening it would wait for ever
    data = read_image_folder(tmp_path, 4)
    assert sum(sizes(data).values()) == 30 and np.bincount(data.train.labels).tolist() == [14, 7]
    said = " ".join(data.notes)
    assert "10 images stand in folders within a class and belong to it, such as cat/white/long-haired/0.png" in said
    assert "1 links to a folder that was read already" in said and "2 .png that are no files" in said


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    images(tmp_path / "cat"), images(tmp_path / "dog")
    listed = Path.iterdir

    def refused(folder: Path) -> object:
        if folder.name == "dog":
            raise PermissionError(13, "Permission denied", str(folder))
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(ProblemError, match=r"a folder that can be read.*dog"):
        read_image_folder(tmp_path, 4)


ENDINGS = ("webp", "tif", "gif", "bmp", "ppm", "jp2", "tga", "avif", "qoi", "ico", "dds", "pcx", "sgi", "jfif")


@pytest.mark.parametrize("ending", ENDINGS)
def test_formats_of_pillow_are_read(tmp_path: Path, ending: str) -> None:
    assert set(first_image(tmp_path, Image.new("RGB", (16, 16), (250, 250, 250)), ending).ravel()) <= {249, 250, 251}


def test_no_format_starts_another_program_or_lacks_a_signature() -> None:
    Image.init()
    assert not {"EPS", "WMF"}.intersection(FORMATS)
    assert all(Image.OPEN[name][1] is not None for name in FORMATS if name != "PCD")  # looks for its mark by itself
    assert Image.OPEN[_BY_ENDING][1] is None


@pytest.mark.parametrize("turn", range(1, 9))
def test_images_are_turned_by_their_orientation(tmp_path: Path, turn: int) -> None:
    # Where EXIF's orientation puts the first row and the first column of the stored image.
    side = {1: "tl", 2: "tr", 3: "br", 4: "bl", 5: "lt", 6: "rt", 7: "rb", 8: "lb"}[turn]
    stored = np.full((16, 16, 3), 0, np.uint8)
    stored[:8, :, 0], stored[:, :8, 1] = 255, 255  # the upper half has red, the left half green
    exif = Image.Exif()
    exif[0x0112] = turn
    found = first_image(tmp_path, Image.fromarray(stored), "png", 16, exif=exif)
    halves = {"t": np.s_[:8], "b": np.s_[8:], "l": np.s_[:, :8], "r": np.s_[:, 8:]}
    assert all(found[halves[half]][..., colour].min() == 255 for colour, half in enumerate(side))


def with_alpha(mode: str) -> Image.Image:
    """An image whose left half can be seen, blue or grey, and whose right half cannot, with another colour below."""
    colours = {"RGBA": ((0, 0, 255, 255), (255, 0, 0, 0)), "LA": ((80, 255), (9, 0))}[mode]
    image = Image.new(mode, (16, 16), colours[0])
    image.paste(colours[1], (8, 0, 16, 16))
    return image


def by_palette() -> Image.Image:
    image = Image.new("P", (16, 16), 0)
    image.putpalette([0, 0, 255, 255, 0, 0])
    image.paste(1, (8, 0, 16, 16))
    image.info["transparency"] = 1
    return image


def by_grey_of_16_bits() -> Image.Image:
    values = np.full((16, 16), 80 * 257, np.uint16)
    values[:, 8:] = 7
    image = Image.fromarray(values)
    image.info["transparency"] = 7
    return image


@pytest.mark.parametrize(
    ("image", "ending", "left"),
    [
        (with_alpha("RGBA"), "png", (0, 0, 255)), (with_alpha("RGBA"), "webp", (0, 0, 255)),
        (with_alpha("LA"), "png", (80, 80, 80)),
        (with_alpha("RGBA"), "tif", (0, 0, 255)), (by_palette(), "png", (0, 0, 255)), (by_palette(), "gif", (0, 0, 255)),
        (by_grey_of_16_bits(), "png", (80, 80, 80)),
    ],
)  # fmt: skip
def test_transparent_parts_are_white(tmp_path: Path, image: Image.Image, ending: str, left: tuple[int, ...]) -> None:
    save = {"lossless": True} if ending == "webp" else {}
    if "transparency" in image.info:
        save["transparency"] = image.info["transparency"]
    found = first_image(tmp_path, image, ending, 16, **save)
    assert {tuple(pixel) for pixel in found[:, :8].reshape(-1, 3).tolist()} == {left}
    assert set(found[:, 8:].ravel()) == {255}


def pgm(values: np.ndarray, most: int) -> Callable[[Path], None]:
    head = f"P5 {values.shape[1]} {values.shape[0]} {most}\n".encode()
    return lambda path: path.write_bytes(head + values.astype(">u2").tobytes()) and None


def saved(image: Image.Image) -> Callable[[Path], None]:
    return image.save


@pytest.mark.parametrize(
    ("write", "ending", "right"),
    [
        (saved(Image.fromarray(np.full((8, 8), 40000, np.uint16))), "png", 156),  # 40,000 / 257 = 155.6
        (saved(Image.fromarray(np.full((8, 8), 10000, np.uint16))), "tif", 39),
        (saved(Image.fromarray(np.full((8, 8), 40000, ">u2"))), "tif", 156),
        (saved(Image.fromarray(np.full((8, 8), 40000, np.int32))), "tif", 156),
        (pgm(np.full((8, 8), 2048), 4095), "pgm", 128),  # 2048 / 4095 x 255 = 127.5
        (saved(Image.fromarray(np.full((8, 8), 0.5, np.float32))), "tif", 128),
        (saved(Image.new("1", (8, 8), 1)), "png", 255),
        (saved(Image.new("CMYK", (8, 8), (0, 0, 0, 55))), "tif", 200),
    ],
)  # fmt: skip
def test_other_depths_are_scaled_and_never_clipped(
    tmp_path: Path, write: Callable[[Path], None], ending: str, right: int
) -> None:
    for label in "ab":
        (tmp_path / label).mkdir()
        for number in range(6):
            write(tmp_path / label / f"{number}.{ending}")
    assert set(read_image_folder(tmp_path, 4).train.features.ravel()) == {right}


def test_images_of_16_bits_are_counted_with_their_largest_value(tmp_path: Path) -> None:
    images(tmp_path / "a", 6, Image.fromarray(np.full((8, 8), 900, np.uint16)))
    images(tmp_path / "b", 6)
    assert (
        "6 images of 16 bits are scaled to 8 bits by 1/257; their largest value is 900 of 65\u2009535."
        in read_image_folder(tmp_path, 4).notes
    )


@pytest.mark.parametrize("values", [np.int32([[70000]]), np.int32([[-1]]), np.float32([[1.5]]), np.float32([[np.nan]])])
def test_values_without_a_range_are_refused(tmp_path: Path, values: np.ndarray) -> None:
    images(tmp_path / "a", 6), images(tmp_path / "b", 6, Image.fromarray(values), "tif")
    with pytest.raises(ProblemError, match=r"b/0\.tif \(values from .* scale them"):
        read_image_folder(tmp_path, 4)


def test_the_first_frame_is_read_and_said(tmp_path: Path) -> None:
    for label in "ab":
        (tmp_path / label).mkdir()
        for number in range(6):
            frames = [Image.new("RGB", (8, 8), (shade, 0, 0)) for shade in (255, 0)]
            frames[0].save(tmp_path / label / f"{number}.gif", save_all=True, append_images=frames[1:])
    data = read_image_folder(tmp_path, 4)
    assert set(data.train.features[:, 0].ravel()) == {255}
    assert "12 images have several frames or sizes; the first is read." in data.notes


def test_images_too_large_or_too_many_for_a_stored_data_set_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images(tmp_path / "a"), images(tmp_path / "b")
    with pytest.raises(ProblemError, match="at most 15 images"):
        read_image_folder(tmp_path, 6666)
    monkeypatch.setattr("engines.data.image_folder.MAX_IMAGE_PIXELS", 95)
    with pytest.raises(ProblemError, match=r"at most 95 pixels.*a/0\.png of 96 pixels"):
        read_image_folder(tmp_path, 4)
