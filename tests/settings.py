"""Settings of the tests: the site's own, with run-time data in a folder that goes away with the test process."""

import atexit
import os
import shutil
import tempfile

if "PARETOSCOPE_VAR" not in os.environ:
    _folder = tempfile.mkdtemp(prefix="paretoscope-tests-")
    os.environ["PARETOSCOPE_VAR"] = _folder
    _owner = os.getpid()
    atexit.register(lambda: shutil.rmtree(_folder, ignore_errors=True) if os.getpid() == _owner else None)

from webapp.site.settings import *  # noqa: F403

# The real hashers are slow by design, which a test of a page does not need.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
