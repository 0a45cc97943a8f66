import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from engines.contract.designs import table_from_bytes
from engines.contract.engine import Problem
from engines.contract.results import Note, Result, Series, Trace
from engines.exchange.export import (
    chrome_trace,
    designs_table,
    result_table,
    to_arrow,
    to_csv,
    to_parquet,
)
from engines.running.inspection import evaluate
from engines.testing.trace_events import check_trace, nanoseconds
from tests.engines.samples import SAMPLES, two_lane_schedule
from tests.support.toy_engine import QUANTITIES


@pytest.fixture
def table(problem: Problem) -> pa.Table:
    designs = evaluate(problem, [{"x": [0.1, 0.2, 0.3]}, {"x": [1 / 3, 0.0, 1.0]}])
    return designs_table(designs, QUANTITIES)


def test_designs_are_numbered_and_carry_units(table: pa.Table) -> None:
    assert table.column_names == [
        "design", "latency_s", "energy_j", "spread", "found_at_evaluation", "origin", "label", "decision"
    ]  # fmt: skip
    assert table["design"].to_pylist() == [0, 1]
    assert table.schema.field("energy_j").metadata == {b"unit": b"J", b"title": b"Energy"}
    assert json.loads(table["decision"][0].as_py()) == {"x": [0.1, 0.2, 0.3]}


def test_designs_come_back_from_csv_with_every_digit(table: pa.Table) -> None:
    again = csv.read_csv(io.BytesIO(to_csv(table)))
    assert again["energy_j"].to_pylist() == table["energy_j"].to_pylist()
    assert json.loads(again["decision"][1].as_py()) == {"x": [1 / 3, 0.0, 1.0]}


def test_designs_come_back_from_parquet_and_arrow(table: pa.Table) -> None:
    again = parquet.read_table(io.BytesIO(to_parquet(table)))
    assert again.equals(table)
    assert again.schema.field("energy_j").metadata[b"unit"] == b"J"
    assert table_from_bytes(to_arrow(table)).equals(table)


@pytest.mark.parametrize("result", SAMPLES, ids=lambda result: result.name)
def test_every_result_is_a_table_that_can_be_written(result: Result) -> None:
    table = result_table(result)
    assert table.num_columns >= 1
    assert to_csv(table).decode().splitlines()[0].count(",") >= table.num_columns - 1
    assert parquet.read_table(io.BytesIO(to_parquet(table))).num_rows == table.num_rows


def test_a_schedule_is_a_table_of_bars() -> None:
    rows = result_table(two_lane_schedule()).to_pylist()
    assert rows[1] == {
        "lane": "Chiplet 0", "start_s": 1e-6, "end_s": 2e-6, "kind": "compute", "model": "a", "label": "a 0-3",
        "window": "Window 1", "sample": 1,
    }  # fmt: skip
    assert rows[2]["model"] == ""


def test_tables_of_the_other_results() -> None:
    by_name = {sample.name: result_table(sample).to_pylist() for sample in SAMPLES}
    assert by_name["grid"][0]["chiplet"] == 0
    assert by_name["grid"][0]["last_layer"] == 3
    assert by_name["trace"][0] == {"time_s": 0.0, "Charge [J]": 1.0, "Charge [J] low": 0.0, "Charge [J] high": 1.0}
    assert by_name["curve"][1] == {"Batch": 10.0, "a [s]": 2.0}
    assert by_name["table"][0] == {"Name": "x", "Size [B]": 1.0}
    assert by_name["parts"][1] == {"row": "one", "column": "q", "value": 2.0, "unit": "J"}
    assert by_name["graph"][0] == {"id": "1", "title": "conv", "group": "a", "MACs": 1e9, "Size [B]": 5.0}
    assert by_name["graph"][1]["MACs"] is None


def test_series_that_share_a_title_are_told_apart() -> None:
    series = (Series("a", np.zeros(1), "s"), Series("a", np.ones(1), "s"))
    assert result_table(Trace("t", "T", np.zeros(1), series)).column_names == ["time_s", "a [s]", "a [s] (2)"]


def test_an_unknown_result_is_refused() -> None:
    class Stranger(Note):
        """Not known to the export."""

    with pytest.raises(TypeError, match=r"Schedule.*Got Stranger"):
        result_table(Stranger("n", "t", ""))


def test_a_chrome_trace_has_a_process_a_thread_per_lane_and_microseconds() -> None:
    trace = json.loads(json.dumps(chrome_trace(two_lane_schedule(), "simba", {"problem_hash": "ab"})))
    events: list[dict[str, Any]] = trace["traceEvents"]
    assert trace["otherData"] == {"problem_hash": "ab"}
    names = {(e["name"], e["tid"]): e["args"].get("name") for e in events if e["ph"] == "M"}
    assert names["process_name", 0] == "simba"
    assert [names["thread_name", thread] for thread in range(3)] == ["Windows", "Chiplet 0", "Chiplet 1"]
    bars = [event for event in events if event["ph"] == "X" and event["cat"] != "window"]
    assert [(bar["tid"], bar["ts"], bar["dur"]) for bar in bars] == [
        (1, 0.0, pytest.approx(1.0)), (1, pytest.approx(1.0), pytest.approx(1.0)), (2, pytest.approx(2.0), pytest.approx(1.0))
    ]  # fmt: skip
    assert bars[0]["args"] == {"model": "a", "window": "Window 1", "sample": 0}
    assert bars[2]["args"] == {"window": "Window 1"}


def test_a_chrome_trace_has_windows_and_arrows() -> None:
    events = chrome_trace(two_lane_schedule())["traceEvents"]
    (window,) = [event for event in events if event.get("cat") == "window"]
    assert (window["tid"], window["name"], window["dur"]) == (0, "Window 1", pytest.approx(3.0))
    start, end = (event for event in events if event["ph"] in "sf")
    assert (start["id"], start["tid"], start["ts"]) == (end["id"], 1, pytest.approx(2.0, abs=0.0011)), "within its bar"
    assert (end["tid"], end["ts"], end["bp"]) == (2, pytest.approx(2.0), "e")


def test_perfetto_reads_slices_that_touch_at_odd_times_and_their_arrows() -> None:
    check_trace(json.loads(json.dumps(chrome_trace(two_lane_schedule()))))
    edges = np.cumsum(np.random.default_rng(3).random(400) * 1e-4)
    count = len(edges) - 1
    zeros = np.zeros(count, np.int64)
    touching = replace(
        two_lane_schedule(), bar_lane=np.arange(count) % 2, bar_start_s=edges[:-1], bar_end_s=edges[1:], bar_kind=zeros,
        bar_model=zeros, bar_label=zeros, bar_window=zeros, bar_sample=zeros,
        dependency_from=np.arange(count - 1), dependency_to=np.arange(1, count),
    )  # fmt: skip
    check_trace(chrome_trace(touching))
    one_lane = replace(touching, bar_lane=zeros)
    check_trace(chrome_trace(one_lane))
    bars = [event for event in chrome_trace(one_lane)["traceEvents"] if event.get("cat") == "compute"]
    ends = [nanoseconds(bar["ts"]) + nanoseconds(bar["dur"]) for bar in bars]
    assert ends[:-1] == [nanoseconds(bar["ts"]) for bar in bars[1:]], "no gap and no overlap"
    # Times that are equal but for the last bit lie on both sides of half a nanosecond.
    edges = np.arange(count + 1) * 1e-6 + 0.5e-9
    check_trace(
        chrome_trace(replace(one_lane, bar_start_s=edges[:-1] * (1 - 1e-15), bar_end_s=edges[1:] * (1 + 1e-15)))
    )
