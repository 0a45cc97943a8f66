"""Files that every visitor gets, asked for as a fresh server is asked: in a thread that did not load the program."""

from __future__ import annotations

import subprocess
import sys

FRESH = """
import os, sys, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
assert "dash" not in sys.modules, "commands would load what only pages need"
from webapp.site.wsgi import application
from django.test import Client
codes = []
thread = threading.Thread(target=lambda: codes.append(Client().get("/assets/base.css").status_code))
thread.start()
thread.join()
assert codes == [200], codes
"""


def test_a_fresh_server_serves_them_from_any_thread() -> None:
    subprocess.run([sys.executable, "-c", FRESH], check=True, timeout=110)
