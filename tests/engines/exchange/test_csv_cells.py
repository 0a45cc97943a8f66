from __future__ import annotations

import csv
import io

import pyarrow as pa
import pytest

from engines.exchange.csv_cells import as_text
from engines.exchange.export import to_csv


@pytest.mark.parametrize("start", [*"=+-@\t\r\uff1d\uff0b\uff0d\uff20"])
def test_text_that_a_spreadsheet_computes_gets_an_apostrophe(start: str) -> None:
    assert as_text(f"{start}1+1") == f"'{start}1+1"
    table = pa.table({f"{start}head": [1.5], "text": [f"{start}cmd|x"], "same": pa.array(["=a"]).dictionary_encode()})
    head, row = csv.reader(io.StringIO(to_csv(table).decode(), newline=""))
    assert head == [f"'{start}head", "text", "same"] and row == ["1.5", f"'{start}cmd|x", "'=a"]


@pytest.mark.parametrize("cell", ["-5", "+1.5e-3", "-inf", "a=b", "", "1+1", -5, None, "'=x"])
def test_numbers_and_everything_else_stay_as_they_are(cell: object) -> None:
    assert as_text(cell) == cell
