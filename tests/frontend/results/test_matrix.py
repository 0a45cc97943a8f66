from __future__ import annotations

import numpy as np

from engines.contract.results import Matrix
from frontend.results.matrix import VIEW


def matrix(values: np.ndarray) -> Matrix:
    rows, columns = (tuple(map(str, range(size))) for size in values.shape)
    return Matrix("m", "Load", rows, columns, values, "B", "Bytes")


def test_a_sentence_tells_least_and_most_of_what_is_known() -> None:
    words = VIEW.sentence(matrix(np.array([[1e6, np.nan], [3e6, 2e6]]))).replace("\u00a0", " ")
    assert "bytes from 1" in words and "to 3" in words and "MB" in words
    assert VIEW.sentence(matrix(np.empty((0, 0)))) == "Load: bytes."


def test_rows_decide_the_room_on_a_card() -> None:
    assert VIEW.card is not None
    rooms = [VIEW.card.room(matrix(np.ones((rows, 2))), 400, 300).least for rows in (1, 4, 10)]
    assert rooms[0] == rooms[1] < rooms[2]
