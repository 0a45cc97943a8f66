"""Readers of data sets, on small files in the publishers' formats."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.archive import pack_data_set, read_archive, unpack_data_set
from engines.data.cifar import read_cifar
from engines.data.data_set import DataSet, Split
from engines.data.digits import digits
from engines.data.image_folder import read_image_folder
from engines.data.splitting import stratified_rows


def test_digits_are_split_by_class_and_every_example_stands_in_one_split() -> None:
    data = digits()
    assert data.example_shape == (1, 8, 8)
    assert sum(len(split) for split in data.splits().values()) == 1797
    for split in data.splits().values():
        shares = np.bincount(split.labels, minlength=10) / len(split)
        assert np.all(np.abs(shares - 0.1) < 0.01)
    assert float(data.train.features.max()) * data.feature_scale == 1.0


def test_the_hash_tells_examples_apart_and_not_words() -> None:
    data = digits()
    renamed = DataSet("other", "words", data.train, data.validation, data.test, data.classes, "", data.feature_scale)
    swapped = DataSet("digits", "", data.train, data.test, data.validation, data.classes, "", data.feature_scale)
    assert renamed.content_hash() == data.content_hash() == digits(2023).content_hash()
    assert swapped.content_hash() != data.content_hash()


def test_stratified_rows_are_disjoint_complete_and_seeded() -> None:
    labels = np.repeat(np.arange(3), (10, 20, 70))
    parts = stratified_rows(labels, (0.5, 0.5), seed=1)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(100))
    assert [np.bincount(labels[part]).tolist() for part in parts] == [[5, 10, 35], [5, 10, 35]]
    assert not np.array_equal(parts[0], stratified_rows(labels, (0.5, 0.5), seed=2)[0])
    with pytest.raises(ProblemError, match="sum to 1"):
        stratified_rows(labels, (0.5, 0.4))


def test_cifar_10_reads_label_then_red_green_blue_rows(tmp_path) -> None:
    def record(label: int) -> bytes:
        return bytes([label]) + bytes([1]) * 1024 + bytes([2]) * 1024 + bytes([3] * 32 + [4] * 992)

    for number in range(1, 6):
        (tmp_path / f"data_batch_{number}.bin").write_bytes(b"".join(record(label) for label in range(10)))
    (tmp_path / "test_batch.bin").write_bytes(record(7))
    data = read_cifar(tmp_path, "cifar-10", validation_share=0.2)
    assert (len(data.train), len(data.validation), data.test.labels.tolist()) == (40, 10, [7])
    image = data.test.features[0]
    assert (image[0, 5, 5], image[1, 5, 5], image[2, 0, 31], image[2, 1, 0]) == (1, 2, 3, 4)
    assert data.classes[7] == "horse"


def test_cifar_100_takes_the_fine_label(tmp_path) -> None:
    records = b"".join(bytes([coarse, fine]) + bytes(3072) for coarse, fine in [(0, 99), (1, 98)] * 10)
    (tmp_path / "train.bin").write_bytes(records)
    (tmp_path / "test.bin").write_bytes(records[: 2 * 3074])
    assert read_cifar(tmp_path, "cifar-100", 0.5).test.labels.tolist() == [99, 98]


def test_cifar_in_pickles_is_refused(tmp_path) -> None:
    (tmp_path / "data_batch_1").write_bytes(pickle.dumps({"data": 1}))
    with pytest.raises(ProblemError, match="python version holds pickles"):
        read_cifar(tmp_path, "cifar-10")
    (tmp_path / "data_batch_1.bin").write_bytes(b"short")
    with pytest.raises(ProblemError, match="multiple of 3073 bytes"):
        read_cifar(tmp_path, "cifar-10")


def test_an_image_folder_is_scaled_and_split(tmp_path) -> None:
    images = pytest.importorskip("PIL.Image")
    for label, shade in (("cat", 200), ("dog", 20)):
        (tmp_path / label).mkdir()
        for number in range(10):
            images.new("L", (20 + number, 12), shade).save(tmp_path / label / f"{number}.png")
    data = read_image_folder(tmp_path, 8)
    assert data.classes == ("cat", "dog") and data.example_shape == (3, 8, 8)
    assert sum(len(split) for split in data.splits().values()) == 20
    assert set(data.test.features[data.test.labels == 1].ravel()) == {20}
    (tmp_path / "dog" / "broken.png").write_bytes(b"no image")
    with pytest.raises(ProblemError, match=r"broken\.png"):
        read_image_folder(tmp_path, 8)


def test_an_archive_comes_back_equal_and_packs_alike(tmp_path) -> None:
    data = digits()
    packed = pack_data_set(data)
    again = unpack_data_set(packed, "digits")
    assert again.content_hash() == data.content_hash() and again.source == data.source
    assert pack_data_set(again) == packed
    path = tmp_path / "mine.npz"
    np.savez(path, features=np.zeros((40, 2, 16), np.float32), labels=np.arange(40) % 2)
    assert read_archive(path).classes == ("0", "1")


def test_an_archive_with_pickles_or_other_content_is_refused() -> None:
    evil = io.BytesIO()
    np.savez(evil, features=np.array([{"a": 1}], dtype=object), labels=np.zeros(1, np.int64))
    for content in (evil.getvalue(), b"PK", b""):
        with pytest.raises(ProblemError, match="without pickles"):
            unpack_data_set(content, "mine")


def test_a_data_set_refuses_labels_without_a_class() -> None:
    split = Split(np.zeros((2, 1, 4), np.float32), np.array([0, 2]))
    with pytest.raises(ProblemError, match="labels 0 to 1"):
        DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up")
