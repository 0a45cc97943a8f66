"""Readers of data sets, on small files in the publishers' formats."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.digits import digits


def test_the_hash_tells_examples_apart_and_not_words() -> None:
    data = digits()
    renamed = DataSet("other", "words", data.train, data.validation, data.test, data.classes, "", data.feature_scale)
    swapped = DataSet("digits", "", data.train, data.test, data.validation, data.classes, "", data.feature_scale)
    assert renamed.content_hash() == data.content_hash() == digits(2023).content_hash()
    assert swapped.content_hash() != data.content_hash()


def test_a_data_set_refuses_labels_without_a_class() -> None:
    split = Split(np.zeros((2, 1, 4), np.float32), np.array([0, 2]))
    with pytest.raises(ProblemError, match="labels 0 to 1"):
        DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up")
