import pytest

from engines.running import pieces
from engines.running.pieces import begun_in_place, packed, worked


def times(shared: int, item: int) -> int:
    return shared * item


def test_a_batch_begins_in_place_and_ends_there_where_it_is_short() -> None:
    assert begun_in_place(times, 2, [], 1.0) == ([], (), 0.0)
    assert begun_in_place(times, 2, [1, 2, 3], 60.0)[:2] == ([2, 4, 6], ())
    done, rest, piece_s = begun_in_place(times, 2, range(5), 0.0)
    assert (done, rest) == ([0], range(1, 5)) and piece_s > 0


def test_the_shared_value_is_fetched_once_until_another_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_kept", {})
    asked: list[int] = []

    def of(shared: int) -> list[int]:
        key, data = packed(shared)
        return worked(times, key, lambda: asked.append(shared) or data, [1, 2])  # type: ignore[func-returns-value]

    assert [of(shared) for shared in (3, 3, 4, 3)] == [[3, 6], [3, 6], [4, 8], [3, 6]]
    assert asked == [3, 4, 3]
