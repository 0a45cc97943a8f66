"""Folders of images and arrays that readers of other tools are reported to read wrong.

The right values follow from how the files were made: shades, halves and numbers of images, shapes and labels of arrays.
`expected.json` names the report that a file follows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.archive import read_archive
from engines.data.data_set import DataSet
from engines.data.documents import packed_image_data
from engines.data.image_folder import read_image_folder

FOLDER = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())


def cases(kind: str) -> list[str]:
    """Names of the files that are judged in one way."""
    return [name for name, case in EXPECTED.items() if case["kind"] == kind]


def images(name: str) -> DataSet:
    return read_image_folder(FOLDER / name, 16)


def whole(data: DataSet) -> tuple[np.ndarray, np.ndarray]:
    """All examples with their labels."""
    splits = data.splits().values()
    return np.concatenate([each.features for each in splits]), np.concatenate([each.labels for each in splits])


@pytest.mark.parametrize("name", cases("class_means"))
def test_images_keep_their_shades(name: str) -> None:
    data = images(name)
    features, labels = whole(data)
    means = {each: float(features[labels == label].mean()) for label, each in enumerate(data.classes)}
    assert means == pytest.approx(EXPECTED[name]["right"], abs=0.5)


@pytest.mark.parametrize("name", cases("white_half"))
def test_images_are_upright(name: str) -> None:
    image = images(name).train.features[0][0].astype(float)
    means = {"top": image[:8], "bottom": image[8:], "left": image[:, :8], "right": image[:, 8:]}
    assert max(means, key=lambda side: means[side].mean()) == EXPECTED[name]["right"]


@pytest.mark.parametrize("name", cases("classes_look_equal"))
def test_colours_below_transparent_parts_do_not_show(name: str) -> None:
    features, labels = whole(images(name))
    assert np.array_equal(features[labels == 0][0], features[labels == 1][0]) is EXPECTED[name]["right"]


@pytest.mark.parametrize("name", cases("split_sizes"))
def test_splits_of_a_folder_are_kept(name: str) -> None:
    assert {split: len(each) for split, each in images(name).splits().items()} == EXPECTED[name]["right"]


@pytest.mark.parametrize("name", cases("folder_all"))
def test_every_image_of_a_class_is_read(name: str) -> None:
    data = images(name)
    found = {"classes": list(data.classes), "images": sum(map(len, data.splits().values()))}
    assert found == EXPECTED[name]["right"]


@pytest.mark.parametrize("name", cases("folder_message_has"))
def test_a_damaged_image_is_named_with_its_class(name: str) -> None:
    with pytest.raises(ProblemError, match=EXPECTED[name]["right"]):
        images(name)


@pytest.mark.parametrize("name", cases("npz_shape"))
def test_arrays_have_their_shape(name: str) -> None:
    content, _ = packed_image_data(read_archive(FOLDER / name), "mine")
    assert {key: content[key] for key in EXPECTED[name]["right"]} == EXPECTED[name]["right"]


@pytest.mark.parametrize("name", cases("npz_classes"))
def test_every_class_has_examples(name: str) -> None:
    data = read_archive(FOLDER / name)
    assert len(data.classes) == len(np.unique(whole(data)[1])) == EXPECTED[name]["right"]


@pytest.mark.parametrize("name", cases("npz_refused"))
def test_arrays_that_do_not_belong_together_are_refused(name: str) -> None:
    with pytest.raises(ProblemError, match="60 features and 57 labels"):
        read_archive(FOLDER / name)
