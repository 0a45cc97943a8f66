import subprocess
import sys

import numpy as np
import pytest

from engines.contract.numeric.random_streams import random_stream


def test_the_same_names_give_the_same_numbers() -> None:
    first, second = (random_stream(1, "mutate", 3).random(5) for _ in range(2))
    assert np.array_equal(first, second)


def test_every_name_and_seed_gives_other_numbers() -> None:
    keys = [(1, "a", "b"), (1, "ab"), (1, "b", "a"), (1, 1), (1, "1"), (1, -1), (2, "ab"), (1,), (1, ""), (1, "", "")]
    first = [random_stream(*key).integers(2**62) for key in keys]  # type: ignore[arg-type]
    assert len(set(first)) == len(keys)


def test_numpy_integers_are_integers() -> None:
    assert random_stream(1, np.int64(4)).random() == random_stream(1, 4).random()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [1.5, None, b"a"])
def test_other_names_are_refused(name: object) -> None:
    with pytest.raises(TypeError):
        random_stream(1, name)  # type: ignore[arg-type]


def test_the_bits_never_change() -> None:
    """Frozen from the definition: a change here would give every stored run other values on resume."""
    raw = random_stream(2026, "frozen", 1).bit_generator.random_raw(2)
    assert raw.tolist() == FROZEN


def test_another_process_gives_the_same_numbers() -> None:
    code = (
        "from engines.contract.numeric.random_streams import random_stream; "
        "print(repr(random_stream(5, 'x', 2).random(3).tolist()))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == repr(random_stream(5, "x", 2).random(3).tolist())


def test_streams_are_uniform_and_uncorrelated() -> None:
    draws = np.array([random_stream(9, "s", i).random(200) for i in range(200)])
    assert abs(draws.mean() - 0.5) < 0.005
    correlations = np.corrcoef(draws)[np.triu_indices(200, 1)]
    assert np.abs(correlations).max() < 0.4


FROZEN = [13295351600608701918, 17581394017312702894]
