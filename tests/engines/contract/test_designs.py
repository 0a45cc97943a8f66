from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines.contract.designs import Designs, canonical_json, table_from_bytes, table_to_bytes
from engines.contract.quantities import Quantity


def three(**changes: Any) -> Designs:
    fields: dict[str, Any] = {
        "columns": {"latency_s": [3.0, np.nan, -0.0], "energy_j": [1e-300, np.inf, 2.0]},
        "decisions": [{"x": 1}, {"x": [1, {"y": None}]}, {"ü": "é"}],
        "found_at_evaluation": [1, 2, 2**40],
        "origin": ["search", "baseline", "user"],
        "label": ["", "Simba NVDLA", "mine"],
    }
    return Designs(**(fields | changes))


def test_designs_come_back_equal_from_arrow() -> None:
    designs = three()
    scalars, decisions = table_to_bytes(designs.scalars_table()), table_to_bytes(designs.decisions_table())
    again = Designs.from_tables(table_from_bytes(scalars), table_from_bytes(decisions))
    assert again.equals(designs)
    assert again.decisions[1] == {"x": [1, {"y": None}]}
    assert again.columns["latency_s"].dtype == np.float64


def test_no_designs_come_back_from_arrow() -> None:
    none = Designs.empty([Quantity("latency_s", "Latency", "s")])
    again = Designs.from_tables(none.scalars_table(), none.decisions_table())
    assert again.equals(none)
    assert list(again.columns) == ["latency_s"]


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": {"latency_s": [3.0, np.nan, 1.0], "energy_j": [1e-300, np.inf, 2.0]}},
        {"decisions": [{"x": 2}, {"x": [1, {"y": None}]}, {"ü": "é"}]},
        {"found_at_evaluation": [1, 2, 3]},
        {"origin": ["search"] * 3},
        {"label": []},
    ],
)
def test_any_difference_is_seen(changes: dict[str, Any]) -> None:
    assert not three().equals(three(**changes))
    assert three().equals(three())


def test_labels_are_empty_by_default() -> None:
    assert three(label=()).label == ("", "", "")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"columns": {"latency_s": [1.0]}}, r"shape \(3,\).*latency_s"),
        ({"columns": {"latency_s": [[1.0], [2.0], [3.0]]}}, "latency_s"),
        ({"found_at_evaluation": [1]}, "found_at_evaluation"),
        ({"label": ["a"]}, "label"),
        ({"origin": ["search", "search", "luck"]}, "luck"),
        ({"columns": {"origin": [1.0, 2.0, 3.0]}}, "origin"),
    ],
)
def test_columns_that_do_not_fit_are_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        three(**changes)


def test_take_keeps_the_given_order() -> None:
    taken = three().take([2, 0])
    assert taken.label == ("mine", "")
    assert taken.decisions == [{"ü": "é"}, {"x": 1}]
    assert len(three().take([])) == 0


def test_concatenate_appends_in_order() -> None:
    both = Designs.concatenate([three(), three().take([1])])
    assert both.origin == ("search", "baseline", "user", "baseline")
    assert both.take([0, 1, 2]).equals(three())


def test_the_order_of_columns_does_not_matter() -> None:
    columns = {"energy_j": [1e-300, np.inf, 2.0], "latency_s": [3.0, np.nan, -0.0]}
    assert three(columns=columns).equals(three())
    both = Designs.concatenate([three(), three(columns=columns)])
    assert both.columns["energy_j"].tolist() == [1e-300, np.inf, 2.0] * 2
    assert both.take([3, 4, 5]).equals(three())


def test_parts_with_other_columns_are_refused() -> None:
    other = three(columns={"energy_j": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="columns"):
        Designs.concatenate([three(), other])
    with pytest.raises(ValueError, match="at least one"):
        Designs.concatenate([])


def test_a_matrix_has_the_named_columns_side_by_side() -> None:
    designs = three().take([0])
    assert designs.matrix(name for name in ("energy_j", "latency_s")).tolist() == [[1e-300, 3.0]]
    assert designs.matrix([]).shape == (1, 0)
    assert three().take([]).matrix(["energy_j", "latency_s"]).shape == (0, 2)


def test_only_the_wanted_columns_are_read() -> None:
    data = table_to_bytes(three().scalars_table())
    table = table_from_bytes(data, columns=["energy_j", "label", "absent"])
    assert table.column_names == ["energy_j", "label"]
    assert table["label"].to_pylist() == ["", "Simba NVDLA", "mine"]
    assert table_from_bytes(data, columns=["origin"])["origin"].to_pylist() == ["search", "baseline", "user"]


def test_tables_in_several_batches_come_back_whole() -> None:
    table = pa.concat_tables([three().scalars_table(), three().scalars_table()])
    assert len(table_from_bytes(table_to_bytes(table))) == 6


def test_canonical_json_is_one_text_per_value() -> None:
    assert canonical_json({"b": [1.5, None], "a": "ü"}) == '{"a":"ü","b":[1.5,null]}'
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"x": float("nan")})
