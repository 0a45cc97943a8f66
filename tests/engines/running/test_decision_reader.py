"""What many designs decide, as a child tells it."""

from __future__ import annotations

import json

import pyarrow as pa

from engines.contract.decision_values import values_by_name
from engines.contract.designs import table_to_bytes
from engines.registry import get_engine
from engines.running.decision_reader import _unpacked, decided_in_child, read_decided

DECISIONS = [{"units": ["gpu", unit], "clocks": {"gpu": 500.0}} for unit in ("dla", "gpu", "cpu")]


def tables() -> list[bytes]:
    texts = [json.dumps(decision) for decision in DECISIONS]
    return [table_to_bytes(pa.table({"decision": part})) for part in (texts[:2], texts[2:])]


def test_what_is_read_is_what_this_process_tells() -> None:
    parts = tables()
    options = {"engine": "soc-mapping", "lengths": [len(part) for part in parts], "skipped": 1}
    found = {name: _unpacked(each) for name, each in read_decided(b"".join(parts), "", options).content.items()}
    expected = values_by_name(get_engine("soc-mapping").decision_columns, DECISIONS[1:])
    assert found.keys() == expected.keys() and found["units"].words == expected["units"].words
    for name, values in expected.items():
        assert found[name].which.tolist() == values.which.tolist()


def test_a_child_answers() -> None:
    assert len(decided_in_child("soc-mapping", tables())["units"].which) == len(DECISIONS)
