from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engines.contract.encoding.document_text import to_yaml
from tests.hardware.zigzag_for_tests import OLDER
from tests.support.stored_runs import People

pytestmark = pytest.mark.django_db


def test_hardware_is_imported_with_what_has_no_counterpart_told(people: People, tmp_path: Path) -> None:
    file, out = tmp_path / "acc.yaml", io.StringIO()
    file.write_text(to_yaml(OLDER))
    given = ("import_hardware", str(file), "--user", "ann")
    with pytest.raises(CommandError, match="process_node_nm"):
        call_command(*given, "--dim", "clock_mhz=200", stdout=out)
    call_command(*given, "--dim", "clock_mhz=200", "--dim", "process_node_nm=28", stdout=out)
    words = out.getvalue()
    assert "ZigZag hardware" in words and "row_buffer" in words and "small-array@1 (stored)" in words
