"""Arrays are counted wherever they lie, once, and as large as what they keep alive."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engines.contract.numeric import memory_size as module
from engines.contract.numeric.memory_size import held_bytes


@dataclass
class _Holder:
    own: object
    rest: dict[str, object] = field(default_factory=dict)


def test_arrays_are_found_within_objects_mappings_and_lists() -> None:
    one, other = np.zeros(100), np.zeros(7, np.int32)
    assert held_bytes(_Holder(one, {"inner": [(other, "text", 3, None)]})) == 800 + 28
    assert held_bytes(None) == held_bytes("text") == held_bytes(np.float64(1.0)) == 0


def test_what_is_shared_counts_once_and_a_view_as_the_whole() -> None:
    whole = np.zeros(1000)
    assert held_bytes([whole, whole[:10], whole[5:].reshape(5, -1)]) == 8000
    assert held_bytes(whole[:1]) == 8000


def test_circles_end_and_only_so_many_parts_are_looked_at(monkeypatch) -> None:
    holder = _Holder(np.zeros(2))
    holder.rest["self"] = holder
    assert held_bytes(holder) == 16
    monkeypatch.setattr(module, "_MOST_LOOKED_AT", 3)
    assert held_bytes([np.zeros(1) for _ in range(10)]) <= 24
