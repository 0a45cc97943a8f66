from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engines.cost.estimators.tools.cost_cache import CostCache, content_key


def test_costs_are_kept_by_content_for_other_processes_too(tmp_path: Path) -> None:
    key = content_key({"layer": [1, 2], "version": 1})
    assert key == content_key({"version": 1, "layer": [1, 2]}) != content_key({"version": 2, "layer": [1, 2]})
    CostCache(tmp_path / "below" / "costs").put(key, {"cycles": 0.1})
    again = CostCache(tmp_path / "below" / "costs")
    assert again.get(key) == {"cycles": 0.1} and again.get("other") is None


def test_the_file_keeps_its_limit_and_what_was_used_last(tmp_path: Path) -> None:
    limit = 100_000
    cache, path = CostCache(tmp_path / "costs", limit), tmp_path / "costs"
    cache.put("favourite", {"cycles": 1.0})
    for number in range(60):
        cache.put(content_key({"number": number}), {"filler": "x" * 2000})
        assert cache.get("favourite") == {"cycles": 1.0}
    assert path.stat().st_size <= limit
    assert cache.get(content_key({"number": 0})) is None and cache.get(content_key({"number": 59})) is not None


def test_a_damaged_file_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "costs").write_bytes(b"no database " * 1000)
    cache = CostCache(tmp_path / "costs")
    assert cache.get("key") is None
    cache.put("key", {"cycles": 1.0})
    assert cache.get("key") == {"cycles": 1.0}


def test_threads_share_a_file(tmp_path: Path) -> None:
    def work(number: int) -> None:
        CostCache(tmp_path / "costs").put(f"key {number % 5}", {"number": float(number % 5)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(20)))
    assert [CostCache(tmp_path / "costs").get(f"key {number}") for number in range(5)] == [
        {"number": float(number)} for number in range(5)
    ]
