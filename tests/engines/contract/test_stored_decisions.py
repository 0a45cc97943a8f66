import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.quantities import Quantity
from engines.contract.stored_decisions import StoredDecisions

TEXTS = [f'{{"x":{number}}}' for number in range(5)]


def test_texts_are_read_once_and_only_when_a_decision_is_looked_at() -> None:
    asked: list[str] = []

    def read() -> list[str]:
        asked.append("read")
        return TEXTS

    stored = StoredDecisions(5, read)
    later = stored.take(np.array([3, 1]))
    both = StoredDecisions.joined([later, stored])
    assert len(later) == 2 and len(both) == 7 and not asked
    assert (
        [each["x"] for each in later] == [3, 1] and later[-1] == {"x": 1} and list(stored[3:]) == [{"x": 3}, {"x": 4}]
    )
    assert [each["x"] for each in both] == [3, 1, 0, 1, 2, 3, 4] and asked == ["read"]


def test_what_was_not_read_says_so() -> None:
    with pytest.raises(LookupError, match="not read"):
        StoredDecisions(1)[0]


def test_designs_of_stored_tables_decode_no_decision_for_their_front() -> None:
    latency = Quantity("latency_s", "Latency", "s", "minimise", "objective")
    whole = Designs({"latency_s": [2.0, 1.0]}, [{"x": 1}, {"x": 2}], [1, 2], ["search"] * 2)
    tables = [whole.scalars_table(), whole.scalars_table()]
    found = Designs.from_scalars(tables, ["latency_s", "of_a_later_version"])
    assert found.front([latency]).tolist() == [1, 3] and np.isnan(found.columns["of_a_later_version"]).all()
    assert found.take([1, 2]).origin == ("search", "search") and len(Designs.concatenate([found, found])) == 8
    read = Designs.from_scalars(tables[:1], ["latency_s"], lambda: TEXTS[1:3])
    assert read.equals(whole)


def test_tables_are_let_go_one_by_one_where_their_count_is_known() -> None:
    whole = Designs({"latency_s": [2.0, 1.0]}, [{"x": 1}, {"x": 2}], [1, 2], ["search"] * 2, ["", "mine"])
    table = whole.scalars_table()
    listed = Designs.from_scalars([table] * 3, ["latency_s"])
    for count in (6, 5, 9):  # as many as there are; a run that grew, and one that went back, while it was read
        found = Designs.from_scalars(iter([table] * 3), ["latency_s"], count=count)
        assert len(found) == min(count, 6) == len(found.origin) == len(found.label)
        assert found.columns["latency_s"].tolist() == listed.columns["latency_s"][: len(found)].tolist()
        assert found.found_at_evaluation.tolist() == [1, 2, 1, 2, 1, 2][: len(found)]
        assert found.label == listed.label[: len(found)]
