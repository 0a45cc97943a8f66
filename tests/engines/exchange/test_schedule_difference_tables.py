from __future__ import annotations

import dataclasses

from engines.contract.results import Lane, Table
from engines.exchange.schedule_difference_tables import difference_tables
from engines.exchange.schedule_differences import compare_schedules
from tests.engines.exchange.schedules_for_tests import BEFORE, schedule


def test_lanes_of_other_kinds_and_numbers() -> None:
    other = schedule(("C0", 0.0, 4.0, "compute", "A layers 0-3"), lanes=("C0", "C9"))
    other = dataclasses.replace(other, lanes=(dataclasses.replace(other.lanes[0], kind="shi-diannao"), other.lanes[1]))
    found = compare_schedules(BEFORE, other)
    assert next(lane.before_s for lane in found.lanes if lane.lane == "C9") == 0.0
    table = difference_tables(found)[2]
    assert isinstance(table, Table)
    assert table.table_columns[0].values == (
        "C0 (NVDLA in A, Shi-diannao in B)", "C1 (in A alone)", "C2 (in A alone)", "C9 (in B alone)",
    )  # fmt: skip


def test_tables_count_layers_from_one() -> None:
    after = schedule(("C1", 0.0, 4.0, "compute", "A layers 0-3"))
    moves, times, lanes = difference_tables(compare_schedules(BEFORE, after))
    assert isinstance(moves, Table) and moves.table_columns[1].values[0] == "1–4"
    assert isinstance(times, Table) and isinstance(lanes, Table)


def test_lanes_are_called_by_their_titles_and_told_apart_by_their_ids() -> None:
    before = schedule(("dla", 0.0, 1.0, "compute", "A stem"), lanes=("gpu", "dla"))
    after = schedule(("gpu", 0.0, 1.0, "compute", "A stem"), lanes=("gpu", "dla"))
    titles = Lane("gpu", "GPU", "gpu", 0.5), Lane("dla", "DLA", "dla", 0.5)
    titled = [dataclasses.replace(each, lanes=titles) for each in (before, after)]
    found = compare_schedules(*titled)
    assert [(move.before, move.after) for move in found.moves] == [("DLA", "GPU")]
    assert [(lane.lane, lane.title) for lane in found.lanes] == [("gpu", "GPU"), ("dla", "DLA")]
    tables = {table.name: table for table in difference_tables(found)}
    assert tables["moves"].table_columns[2].values == ("DLA",)
    assert tables["lanes"].table_columns[0].values == ("GPU", "DLA")
