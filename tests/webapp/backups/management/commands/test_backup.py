from pathlib import Path

import pytest
from django.core.management import CommandError, call_command


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    there = tmp_path / "site.tar.gz"
    there.write_bytes(b"of before")
    for more in ((), ("--dry-run",)):
        with pytest.raises(CommandError, match="No backup was made") as refused:
            call_command("backup", str(there), *more)
        assert refused.value.returncode == 2 and there.read_bytes() == b"of before"
