"""What people type of a user, and the drift."""

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.myml.user import equal, profile_of, stream_labels

NAMES = ("cat", "dog", "fox")


def test_frequencies_are_brought_to_one() -> None:
    found = profile_of("fox: 3, cat", "params.user_classes", NAMES)
    assert found is not None and found.classes == (0, 2) and found.frequencies == (0.25, 0.75)
    assert profile_of(" ", "params.user_classes", NAMES) is None
    assert found.weights(np.array([2, 0, 1, 2])).tolist() == [0.375, 0.25, 0.0, 0.375]


@pytest.mark.parametrize(
    ("given", "accepted"),
    [
        ("cat, cow", "cat, dog, fox"),
        ("cat", "two classes"),
        ("cat, cat", "a list of distinct classes"),
        ("cat: 0, dog", "above 0"),
        ("cat: x, dog", "above 0"),
    ],
)
def test_what_is_no_profile_is_refused(given: str, accepted: str) -> None:
    with pytest.raises(ProblemError, match=accepted):
        profile_of(given, "params.user_classes", NAMES)


def test_one_image_in_five_more_is_of_the_later_classes_every_ten() -> None:
    labels = stream_labels(equal((0, 1)), equal((2, 3)), 4000, 3000, np.random.default_rng(0))
    assert (labels[:3000] < 2).all() and (labels[3040:] > 1).all()
    many = [stream_labels(equal((0, 1)), equal((2, 3)), 50, 0, np.random.default_rng(seed)) > 1 for seed in range(400)]
    shares = np.mean(many, axis=0).reshape(5, 10).mean(axis=1)
    np.testing.assert_allclose(shares, [0.2, 0.4, 0.6, 0.8, 1.0], atol=0.03)
