from __future__ import annotations

import csv
import io

from engines.reproduction.reproductions import listed, versions_of
from webapp.reproductions import service
from webapp.reproductions.exports import csv_of


def test_the_table_for_others_has_every_row_with_its_verdict(db: None) -> None:
    service.reproduce("sbrs", quick=True)
    lines = list(csv.DictReader(io.StringIO(csv_of(service.shown("sbrs")))))
    assert len(lines) == len(listed("sbrs"))
    (row,) = [line for line in lines if line["compared"] == "Figure 8 (b): SBRS-TP"]
    assert (row["published"], row["ours"], row["ratio"], row["verdict"]) == ("12.5", "12.5", "1.0", "fitted")
    assert row["engine_versions"] == f"sbrs {versions_of('sbrs')['sbrs']}" and row["computed_at"] == "site"
    (other,) = [line for line in lines if line["compared"] == "PAMAP2: naive switching"]
    assert other["ours"] and (other["verdict"], other["computed_at"]) == ("differs (explained)", "release")
    assert (row["compared_as"], row["baseline"], row["seeds_to"]) == ("value", "", "")
