"""Commands of `manage.py`, each in a fork with an empty data folder: Django takes a second to start.

The program reads a JSON list of argument lists and prints a JSON list of {arguments, status, output}. Migrations take five
seconds, so the forks copy a migrated file instead, the first argument of the program.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

LONGEST_S = 300


def main() -> None:
    """Run every command and print what each did."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.checks import run_checks

    from engines.registry import installed_engines

    run_checks()
    installed_engines()  # each of ten commands would import them
    migrated, commands = Path(sys.argv[1]), json.loads(sys.stdin.read())
    found = []
    for arguments in commands:
        for file in settings.PARETOSCOPE_VAR.glob("paretoscope.sqlite3*"):
            file.unlink()
        said = settings.PARETOSCOPE_VAR / "said"
        child = os.fork()
        if not child:
            os._exit(_run(arguments, said, migrated))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found.append({"arguments": arguments, "status": status, "output": said.read_text()})
    json.dump(found, sys.stdout)


def _run(arguments: list[str], said: Path, migrated: Path) -> int:
    """The exit status of `manage.py` with `arguments`, which writes to `said`."""
    signal.alarm(LONGEST_S)
    for number, path in ((0, Path(os.devnull)), (1, said), (2, said)):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | (os.O_TRUNC if number == 1 else os.O_APPEND)), number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode) for number, mode in enumerate("rww"))
    sys.argv = ["manage.py", *arguments]
    try:
        _copy_in_place_of_migrating(migrated)
        import manage

        return _status(manage.main())
    except SystemExit as end:
        return _status(end.code)
    except BaseException:  # noqa: BLE001  (what Python would print)
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _status(code: Any) -> int:
    if isinstance(code, str):
        print(code, file=sys.stderr)
        return 1
    return code or 0


def _copy_in_place_of_migrating(migrated: Path) -> None:
    from tests.support.databases import fill_test_database
    from webapp.site import database_schema

    def copy(name: str, **options: Any) -> None:
        assert name == "migrate"
        fill_test_database(migrated)

    database_schema.call_command = copy  # type: ignore[assignment]


if __name__ == "__main__":
    main()
