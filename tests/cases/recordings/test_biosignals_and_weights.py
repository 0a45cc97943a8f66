"""WFDB records and files of weights that readers of other tools are reported to read wrong.

The right values follow from how the files were made: amplitudes, beats and numbers of samples. `expected.json` names the report
that a file follows.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.wfdb_files import read_record, read_records, read_wfdb
from engines.learning.weights_file import read_weights

FOLDER = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())


def cases(kind: str) -> list[str]:
    """Names of the files that are judged in one way."""
    return [name for name, case in EXPECTED.items() if case["kind"] == kind]


def headers(name: str) -> list[Path]:
    return sorted((FOLDER / name).glob("*.hea"))


@pytest.mark.parametrize("name", cases("ecg_same"))
def test_records_of_the_same_signals_are_equal(name: str) -> None:
    (one, two), _ = read_records(headers(name), "Dx")
    assert one.values == pytest.approx(two.values, abs=1e-6)
    assert np.abs(one.values).max(axis=0) == pytest.approx([1.0, 0.5], abs=0.01)  # mV of lead I and of lead II


@pytest.mark.parametrize("name", cases("ecg_beats"))
def test_beats_stand_where_their_clock_says(name: str) -> None:
    labels = np.array(read_record(headers(name)[0], "", annotations="atr").labels)
    first, last = ((sooner + later) / 2 for sooner, later in pairwise(EXPECTED[name]["right"]))
    assert np.flatnonzero(labels == "V")[[0, -1]] == pytest.approx([first, last], abs=1)


@pytest.mark.parametrize("name", cases("ecg_refused"))
def test_a_record_with_other_leads_is_named(name: str) -> None:
    with pytest.raises(ProblemError, match=r"data\.b\.hea"):
        read_wfdb(FOLDER / name, "Dx", 20, 10)


@pytest.mark.parametrize("name", cases("ecg_shape"))
def test_records_have_all_samples(name: str) -> None:
    values = read_record(headers(name)[0], "Dx").values
    assert list(values.shape) == EXPECTED[name]["right"]
    assert values[:, 0] == pytest.approx((np.arange(2001) % 200 - 100) / 200)


@pytest.mark.parametrize("name", cases("weights_read"))
def test_weights_with_a_counter_are_read(name: str) -> None:
    notes = read_weights((FOLDER / name).read_bytes(), name).report["notes"]
    assert "num_batches_tracked" in " ".join(notes)


@pytest.mark.parametrize("name", cases("weights_message_not"))
def test_weights_in_bfloat16_are_read(name: str) -> None:
    assert read_weights((FOLDER / name).read_bytes(), name).content["tensors"] == [{"name": "w", "shape": [4]}]
