"""Measurements with their limits: `make bench`."""

import os

# Each may be started by itself, with `python -m`.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
