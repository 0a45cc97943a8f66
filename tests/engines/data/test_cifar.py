from __future__ import annotations

import pickle

import pytest

from engines.contract.errors import ProblemError
from engines.data.cifar import read_cifar


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
    with pytest.raises(ProblemError, match="Python version of the data set contains pickles"):
        read_cifar(tmp_path, "cifar-10")
    (tmp_path / "data_batch_1.bin").write_bytes(b"short")
    with pytest.raises(ProblemError, match="multiple of 3073 bytes"):
        read_cifar(tmp_path, "cifar-10")
