from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


def test_published_values_are_printed_beside_ours(tmp_path: Path) -> None:
    printed, file = io.StringIO(), tmp_path / "out.json"
    call_command("reproduce", "scar", "--quick", "--json", str(file), stdout=printed)
    assert "predicted" in printed.getvalue() and "Where they differ" in printed.getvalue()
    rows = json.loads(file.read_text())["scar"]
    assert [row["published"] for row in rows] == [2.3, 2.6, 9.25]
    assert all(row["ours"] > 0 and row["reading"] for row in rows)


def test_an_unknown_method_is_refused_with_those_that_exist() -> None:
    with pytest.raises(CommandError, match="Reproductions: scar"):
        call_command("reproduce", "nothing")
