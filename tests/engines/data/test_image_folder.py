"""Folders of images: which files are read, in which split and class."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet
from engines.data.image_folder import read_image_folder


def images(*folders: Path, count: int = 10) -> None:
    """Images of classes, in shades of grey."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            Image.new("L", (12, 8), 10 * number).save(folder / f"{number}.png")


def sizes(data: DataSet) -> dict[str, int]:
    return {name: len(split) for name, split in data.splits().items()}


def test_an_image_folder_is_scaled_and_split(tmp_path: Path) -> None:
    images(tmp_path / "cat", tmp_path / "dog")
    for path in (tmp_path / "dog").iterdir():
        Image.new("L", (20, 12), 20).save(path)
    data = read_image_folder(tmp_path, 8)
    assert data.classes == ("cat", "dog") and data.example_shape == (3, 8, 8)
    assert sizes(data) == {"train": 14, "validation": 2, "test": 4}
    assert data.notes == (
        "Split off from the training examples, about 15 % of each class: 2 for validation and 4 for test.",
    )
    assert set(data.test.features[data.test.labels == 1].ravel()) == {20}


@pytest.mark.parametrize("damaged", [b"no image", b"\x89PNG\r\n\x1a\n", b""])
def test_a_damaged_image_is_named_with_its_class(tmp_path: Path, damaged: bytes) -> None:
    images(tmp_path / "train" / "cat", tmp_path / "train" / "dog")
    (tmp_path / "train" / "dog" / "3.png").write_bytes(damaged)
    with pytest.raises(ProblemError, match=r"train/dog/3\.png.*Repair the image, or remove it"):
        read_image_folder(tmp_path, 8)


@pytest.mark.parametrize(
    ("folders", "found", "cut"),
    [
        (("train", "validation", "test"), (20, 20, 20), ""),
        (("Train", "VAL", "Test"), (20, 20, 20), ""),
        (("training", "valid", "testing"), (20, 20, 20), ""),
        (("training_set", "val2017", "test images"), (20, 20, 20), ""),
        (("train", "test"), (16, 4, 20), "4 for validation."),
        (("train", "dev"), (16, 20, 4), "4 for test."),
        (("train",), (14, 2, 4), "2 for validation and 4 for test."),
    ],
)
def test_splits_are_known_by_usual_names_and_the_missing_ones_are_cut_off(
    tmp_path: Path, folders: tuple[str, ...], found: tuple[int, ...], cut: str
) -> None:
    for split in folders:
        images(tmp_path / split / "cat", tmp_path / split / "dog")
    data = read_image_folder(tmp_path, 4)
    assert tuple(sizes(data).values()) == found and data.classes == ("cat", "dog")
    assert (not cut and not data.notes) or data.notes[0].endswith(cut)


def test_a_class_may_be_called_train(tmp_path: Path) -> None:
    images(tmp_path / "train", tmp_path / "car")
    assert read_image_folder(tmp_path, 4).classes == ("car", "train")


@pytest.mark.parametrize(
    ("folders", "match"),
    [
        (("cat",), "at least two folders of images"),
        (("train", "test"), "train, validation and test folders"),  # images without classes
        (("val/cat", "test/cat"), "train, validation and test folders"),
        (("train/cat", "train/dog", "val/cat", "valid/cat"), "one folder for the validation split"),
        (("train/cat", "train/dog", "extra/cat"), "train next to extra"),
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
        images(tmp_path / split / "cat", tmp_path / split / "dog")
    images(tmp_path / "train" / "owl")
    images(tmp_path / "extra" / "fox", count=3)
    images(tmp_path / "train" / ".ipynb_checkpoints", tmp_path / "train" / "__MACOSX", tmp_path / ".git")
    (tmp_path / "train" / os.fsdecode(b"\xe9mpty")).mkdir()  # Latin-1, as archives of other systems have it
    for name in ("train/cat/a.heic", "train/cat/b.HEIC", "val/dog/Thumbs.db", "README", "train/labels.csv"):
        (tmp_path / name).write_bytes(b"x")
    Image.new("L", (4, 4)).save(tmp_path / "train" / "outside.png")
    data = read_image_folder(tmp_path, 4)
    assert data.classes == ("cat", "dog", "owl") and len(data.train) + len(data.test) == 30
    said = " ".join(data.notes)
    for words in ("extra (3 images)", "no classes: \\udce9mpty", "validation split has no image of owl", ".heic (2)", ".csv (1)",
                  "no ending (1)", "images outside of a class (1)",
                  "hidden files and files of the operating system (4)"):  # fmt: skip
        assert words in said


def test_folders_within_a_class_are_read_once(tmp_path: Path) -> None:
    images(tmp_path / "cat", tmp_path / "cat" / "white" / "long-haired", tmp_path / "dog")
    (tmp_path / "cat" / "again").symlink_to(tmp_path / "cat")
    (tmp_path / "dog" / "circle.png").symlink_to(tmp_path / "dog" / "circle.png")
    os.mkfifo(tmp_path / "dog" / "pipe.png")  # opening it would wait for ever
    data = read_image_folder(tmp_path, 4)
    assert sum(sizes(data).values()) == 30 and np.bincount(data.train.labels).tolist() == [14, 7]
    said = " ".join(data.notes)
    assert "folders within a class, which belong to it: 10, such as cat/white/long-haired/0.png" in said
    assert "links to folders that were read already (1)" in said and ".png that are no files (2)" in said


def test_links_within_a_class_take_nothing_from_others(tmp_path: Path) -> None:
    images(tmp_path / "cat", tmp_path / "dog", tmp_path / "owl")
    (tmp_path / "cat" / "all").symlink_to(tmp_path)
    (tmp_path / "cat" / "other").symlink_to(tmp_path / "owl")
    data = read_image_folder(tmp_path, 4)
    assert data.classes == ("cat", "dog", "owl") and sizes(data) == {"train": 21, "validation": 3, "test": 6}
    assert "Left out: links to folders that were read already (2)." in data.notes


def test_splits_may_be_links_to_a_store_of_images(tmp_path: Path) -> None:
    for label in ("cat", "dog"):
        for split in ("train", "test"):
            images(tmp_path / "all" / f"{label}-{split}")
            (tmp_path / split).mkdir(exist_ok=True)
            (tmp_path / split / label).symlink_to(tmp_path / "all" / f"{label}-{split}")
    data = read_image_folder(tmp_path, 4)
    assert data.classes == ("cat", "dog") and sizes(data) == {"train": 16, "validation": 4, "test": 20}
    (tmp_path / "test").rename(tmp_path / "all" / "test")
    (tmp_path / "test").symlink_to(tmp_path / "all" / "test")
    assert sizes(read_image_folder(tmp_path, 4)) == sizes(data)
    (tmp_path / "val").symlink_to(tmp_path / "train")
    with pytest.raises(ProblemError, match="no image of cat, dog in val"):
        read_image_folder(tmp_path, 4)


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    images(tmp_path / "cat", tmp_path / "dog")
    listed = Path.iterdir

    def refused(folder: Path) -> object:
        if folder.name == "dog":
            raise PermissionError(13, "Permission denied", str(folder))
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(ProblemError, match=r"a folder that can be read.*dog"):
        read_image_folder(tmp_path, 4)


def test_images_too_many_for_a_stored_data_set_are_refused(tmp_path: Path) -> None:
    images(tmp_path / "a", tmp_path / "b")
    with pytest.raises(ProblemError, match="at most 15 images"):
        read_image_folder(tmp_path, 6666)
