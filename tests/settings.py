"""Settings of the tests: the site's own, with run-time data in a folder that goes away with the test process."""

import atexit
import os
import shutil
import tempfile

# Several test processes share the machine; threads that wait for each other by spinning would take its cores away.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
if "PARETOSCOPE_VAR" not in os.environ:
    _folder = tempfile.mkdtemp(prefix="paretoscope-tests-")
    os.environ["PARETOSCOPE_VAR"] = _folder
    _owner = os.getpid()
    atexit.register(lambda: shutil.rmtree(_folder, ignore_errors=True) if os.getpid() == _owner else None)

from webapp.site.settings import *  # noqa: E402, F403

# The real hashers are slow by design, which a test of a page does not need.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A client is made for nearly every test; looking through all static files each time is most of what that takes.
WHITENOISE_AUTOREFRESH = True
