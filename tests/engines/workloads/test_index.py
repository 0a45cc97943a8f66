"""The index of the zoo says what the zoo says."""

from __future__ import annotations

import pytest

from engines.contract.designs import canonical_json
from engines.workloads import builtins, index
from engines.workloads.builtins import builtin_networks, builtin_scenarios
from engines.workloads.families.document import LazyNetwork
from engines.workloads.index import read_index, work_profile, write_index
from tools.make_zoo_index import index_lines

REMEDY = "the zoo changed: run python tools/make_zoo_index.py"


def test_every_line_is_what_the_workload_gives() -> None:
    assert dict(read_index()) == index_lines(), REMEDY


def test_an_index_reads_as_it_was_written(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = dict(read_index())
    monkeypatch.setattr(index, "INDEX", tmp_path / "index.csv")  # type: ignore[operator]
    write_index(lines)
    assert dict(read_index.__wrapped__()) == lines


def test_a_profile_is_short_and_at_most_one() -> None:
    assert work_profile([1.0, 2.0, 4.0]) == (0.25, 0.5, 1.0)
    assert len(work_profile(list(range(1, 500)))) == 32
    assert work_profile([5]) == (1.0,)


def test_a_list_reads_no_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise AssertionError(f"{path} is read for a list")

    monkeypatch.setattr(builtins, "read_table", refuse)
    networks, scenarios = builtin_networks.__wrapped__(), builtin_scenarios.__wrapped__()
    heads = [(content["slug"], content["title"], content["source"]) for content in networks.values()]
    assert len(heads) == len(networks)
    # Drawn ones are made once per process, and other tests read them; tables are this test's own.
    tables = [
        content for content in networks.values() if isinstance(content, LazyNetwork) and "traced" in content["source"]
    ]
    assert len(tables) > 10 and not any(content.drawn for content in tables)
    assert canonical_json([dict(content) for content in scenarios.values()])
