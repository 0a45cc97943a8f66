"""Documents of image data sets."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.digits import digits
from engines.data.documents import (
    builtin_data_sets,
    image_data_document,
    image_data_words,
    load_image_data,
    packed_image_data,
)
from engines.data.scaling import Scaling
from engines.running.files import MemoryFileStore
from hardware.errors import HardwareError


def test_the_built_in_document_says_what_the_digits_are() -> None:
    assert image_data_document(digits(), "digits", None) == builtin_data_sets()["digits"]
    assert load_image_data(builtin_data_sets()["digits"]).read(MemoryFileStore()) is digits()
    assert image_data_words(load_image_data(builtin_data_sets()["digits"])).startswith("1\u2009797 images of 1 × 8 × 8")
    signals = load_image_data({**builtin_data_sets()["digits"], "channels": 40, "height": 100, "width": 1})
    assert image_data_words(signals) == "1\u2009797 windows of 40 channels × 100 samples, 10 classes"


def test_a_data_set_of_ones_own_is_read_from_its_file() -> None:
    split = Split(np.arange(4 * 3 * 16, dtype=np.uint8).reshape(4, 3, 4, 4), np.array([0, 1, 0, 1]))
    mine = DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up", 1 / 255)
    content, file = packed_image_data(mine, "mine")
    files = MemoryFileStore()
    with pytest.raises(ProblemError, match="Import the data set again"):
        load_image_data(content).read(files)
    files.put(file)
    assert load_image_data(content).read(files).content_hash() == mine.content_hash()
    with pytest.raises(ProblemError, match="as the document says"):
        load_image_data({**content, "height": 5}).read(files)


def test_a_document_names_either_a_bundled_data_set_or_a_file() -> None:
    content = dict(builtin_data_sets()["digits"])
    del content["bundled"]
    with pytest.raises(ProblemError, match="either a bundled data set or a file"):
        load_image_data(content)


def test_a_document_of_signals_has_their_scaling() -> None:
    split = Split(np.arange(12, dtype=np.float32).reshape(2, 2, 3, 1), np.array([0, 1]))
    scaling = Scaling(np.array([101325 + 1 / 3, 0.0]), np.array([0.1, 1.0]), ("pressure in Pa", "x"))
    data = DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up", scaling=scaling)
    content, file = packed_image_data(data, "mine")
    assert content["scaling"] == {
        "channels": ["pressure in Pa", "x"], "mean": [101325 + 1 / 3, 0.0], "deviation": [0.1, 1.0],
    }  # fmt: skip
    files = MemoryFileStore()
    files.put(file)
    read = load_image_data(content).read(files)
    assert read.scaling == scaling and load_image_data(content) == load_image_data(content)
    with pytest.raises(ProblemError, match="Import the data set again"):
        load_image_data({**content, "scaling": {**content["scaling"], "mean": [0.0, 0.0]}}).read(files)
    del content["scaling"]  # a document of an earlier version
    assert load_image_data(content).scaling is None
    assert load_image_data({**content, "scaling": None}).read(files).content_hash() == data.content_hash()


def test_scaling_without_a_deviation_is_refused() -> None:
    wrong = {"mean": [0.0], "deviation": [0.0]}
    with pytest.raises(HardwareError, match=r"scaling\.deviation"):
        load_image_data({**builtin_data_sets()["digits"], "scaling": wrong})
