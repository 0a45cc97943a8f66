from __future__ import annotations

import io
import os
import subprocess
import sys

from django.core.management import call_command

from tests.support.live import ROOT, LiveSite


def explore(*arguments: str) -> str:
    out = io.StringIO()
    call_command("explore", *arguments, stdout=out)
    return out.getvalue()


def command(site: LiveSite, *arguments: str) -> subprocess.Popen[bytes]:
    """A real command that knows the toys."""
    code = (
        "import sys; from tests.support.toy_engine import register_toys; register_toys(); import os; "
        "os.environ['DJANGO_SETTINGS_MODULE']='webapp.site.settings'; "
        "from django.core.management import execute_from_command_line as e; e(['manage.py', *sys.argv[1:]])"
    )
    environment = {
        **os.environ, "DATABASE_URL": site.database.url, "PARETOSCOPE_VAR": str(site.database.folder), "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
