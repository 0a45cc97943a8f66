"""Readers of data sets, on small files in the publishers' formats."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet, Split
from engines.data.digits import digits
from engines.data.scaling import Scaling


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


def test_scaling_counts_for_the_hash_and_leaves_that_of_data_without_it() -> None:
    split = Split(np.arange(12, dtype=np.float32).reshape(2, 2, 3, 1), np.array([0, 1]))

    def hash_of(scaling: Scaling | None) -> str:
        return DataSet("mine", "Mine", split, split, split, ("a", "b"), "made up", scaling=scaling).content_hash()

    before = (
        "b7187b4f03abc60a4882b5ac6ecb288bd0639d9094191967e6efb3b46ab48301"  # as computed before data sets had a scaling
    )
    assert hash_of(None) == before
    hashes = {hash_of(Scaling(np.array([0.0, mean]), np.array([1.0, 2.0]))) for mean in (0.0, 1.0)}
    assert len(hashes | {before}) == 3
    named = Scaling(np.array([0.0, 1.0]), np.array([1.0, 2.0]), ("x", "y"))
    assert hash_of(named) in hashes  # words play no part
    with pytest.raises(ProblemError, match="2 channels, as examples have"):
        hash_of(Scaling.unchanged(3))
