"""`manage.py boards evaluate`: its file, and its exit status for rows that a fit has seen and for files that are no table."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engines.survey.measurements.rows import DATA


def evaluate(file: Path, *arguments: str) -> tuple[list[dict[str, Any]], str]:
    out, target = StringIO(), file.with_suffix(".json")
    call_command("boards", "evaluate", str(file), "--json", str(target), *arguments, stdout=out)
    return json.loads(target.read_text(encoding="utf-8"))["groups"], out.getvalue()


def test_a_table_is_compared_group_by_group(tmp_path: Path) -> None:
    file = tmp_path / "rockchip.csv"
    file.write_bytes(gzip.decompress((DATA / "rockchip_vision.csv.gz").read_bytes()))
    with pytest.raises(CommandError, match="A fit has seen 63 rows") as refusal:
        evaluate(file)
    assert refusal.value.returncode == 1
    groups, text = evaluate(file, "--allow-fitted")
    assert sum(each["rows"] for each in groups) == 192
    assert all(each["rows"] == each["used"] + len(each["skipped"]) for each in groups)
    (rk3588,) = [each for each in groups if each["device"] == "RK3588" and each["precision"] == "int8"]
    assert rk3588["boards"] == ["rk3588"] and rk3588["rows_seen_in_fit"] == rk3588["used"] == 11
    assert rk3588["median_error"] < 0.2 and 0.8 <= rk3588["coverage_90"] <= 1
    assert "RK3588" in text


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\x00\xff", b"PK\x03\x04"])
def test_a_file_that_is_no_table_is_refused_in_a_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_bytes(content)
    with pytest.raises(CommandError, match="file") as refusal:
        evaluate(file)
    assert refusal.value.returncode == 2 and "\n" not in str(refusal.value)
    assert not file.with_suffix(".json").exists()
