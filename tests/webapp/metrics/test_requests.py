from __future__ import annotations

import subprocess
import sys

from tests.webapp.site.cases import ROOT

# As a web server with `--preload` does it: the middleware is made once, then processes fork.
PROGRAM = """
import os
from types import SimpleNamespace
from django.conf import settings
settings.configure(PARETOSCOPE_METRICS_TOKEN="a-token-for-tests")
from webapp.metrics.requests import RequestsMiddleware, request_registry
answered = RequestsMiddleware(lambda request: SimpleNamespace(status_code=200))
request = SimpleNamespace(path_info="/", resolver_match=SimpleNamespace(view_name="dash"))
for count in (1, 2):
    child = os.fork()
    if not child:
        for _ in range(count):
            answered(request)
        os._exit(0)
    os.waitpid(child, 0)
folder = os.environ["PROMETHEUS_MULTIPROC_DIR"]
print(len(os.listdir(folder)))
print(request_registry().get_sample_value("paretoscope_request_seconds_count", {"view": "dash", "status": "200"}))
print(folder)
"""


def test_counts_of_all_processes_are_added_and_leave_nothing_behind() -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    files, counted, folder = found.stdout.split()
    assert (files, counted) == ("2", "3.0")
    assert not (ROOT / folder).exists()
