from types import SimpleNamespace
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.shapes import network_content, shape_of


def data_of(height: int, width: int) -> Any:
    return SimpleNamespace(channels=3, height=height, width=width, classes=("a", "b"))


def test_later_thirds_are_wider_and_halve_the_map() -> None:
    shape = shape_of(data_of(32, 32), TrainExitsParams(blocks=6, width=4))
    assert (shape.widths, shape.strides) == ((4, 4, 8, 8, 16, 16), (1, 1, 2, 1, 2, 1))
    assert shape.sides == (32, 32, 16, 16, 8, 8)
    names = [row["name"] for row in network_content(shape, "x", "X")["operations"]]
    assert "block6" in names and names[-1] == "classifier"


def test_images_that_are_not_square_are_refused() -> None:
    with pytest.raises(ProblemError, match="square images"):
        shape_of(data_of(32, 24), TrainExitsParams())
