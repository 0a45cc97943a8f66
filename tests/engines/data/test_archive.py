from __future__ import annotations

import hashlib
import io

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.archive import pack_data_set, read_archive, unpack_data_set
from engines.data.data_set import DataSet, Split
from engines.data.digits import digits
from engines.data.scaling import Scaling


def test_an_archive_comes_back_equal_and_packs_alike(tmp_path) -> None:
    data = digits()
    packed = pack_data_set(data)
    again = unpack_data_set(packed, "digits")
    assert again.content_hash() == data.content_hash() and again.source == data.source
    assert pack_data_set(again) == packed
    path = tmp_path / "mine.npz"
    np.savez(path, features=np.zeros((40, 2, 16), np.float32), labels=np.arange(40) % 2)
    assert read_archive(path).classes == ("0", "1")


def test_what_the_product_stored_is_read_as_it_is() -> None:
    # Arrays of others would be refused or changed: channels last, a class without examples, labels that training lacks.
    images, labels = np.zeros((6, 32, 32, 3), np.uint8), np.array([1, 1, 3, 3, 4, 4])
    splits = [Split(images[rows], labels[rows]) for rows in (slice(4), slice(2, 6), slice(6))]
    data = DataSet("mine", "My images", *splits, ("a", "b", "c", "d", "e"), "a camera", 1 / 255)
    stored = unpack_data_set(pack_data_set(data), "mine")
    assert stored.content_hash() == data.content_hash() and stored.title == "My images" and stored.notes == ()
    assert stored.example_shape == (32, 32, 3) and stored.classes == data.classes


def test_an_archive_with_pickles_or_other_content_is_refused() -> None:
    evil = io.BytesIO()
    np.savez(evil, features=np.array([{"a": 1}], dtype=object), labels=np.zeros(1, np.int64))
    for content in (evil.getvalue(), b"PK", b""):
        with pytest.raises(ProblemError, match="without pickles"):
            unpack_data_set(content, "mine")


def test_scaling_comes_back_and_files_without_it_stay_as_they_were() -> None:
    split = Split(np.arange(12, dtype=np.float32).reshape(2, 2, 3, 1), np.array([0, 1]))
    scaling = Scaling(np.array([101325 + 1 / 3, 0.0]), np.array([0.1, 1.0]), ("pressure in Pa", "Größe"))
    data = DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up", scaling=scaling)
    again = unpack_data_set(pack_data_set(data), "mine")
    assert again.scaling == scaling
    assert again.content_hash() == data.content_hash()
    old = pack_data_set(DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up"))
    # As packed before data sets had a scaling.
    assert hashlib.sha256(old).hexdigest() == "c267195efbc794f9c32894fae3456d50418087f3f7c921b1581692caab18c378"
    assert unpack_data_set(old, "mine").scaling is None


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"scaling_mean": np.zeros(2)}, "without pickles"),
        ({"scaling_mean": np.array(["a", "b"]), "scaling_deviation": np.ones(2)}, "without pickles"),
        ({"scaling_mean": np.zeros(2), "scaling_deviation": np.zeros(2)}, "deviation above 0"),
        ({"scaling_mean": np.zeros(3), "scaling_deviation": np.ones(3)}, "2 channels, as examples have"),
    ],
)
def test_scaling_that_does_not_fit_is_refused(arrays: dict[str, np.ndarray], message: str) -> None:
    file = io.BytesIO()
    np.savez(file, features=np.zeros((40, 2, 16, 1), np.float32), labels=np.arange(40) % 2, axes="NCHW", **arrays)
    with pytest.raises(ProblemError, match=message):
        unpack_data_set(file.getvalue(), "mine")
