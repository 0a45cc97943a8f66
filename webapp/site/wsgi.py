"""WSGI entry point: `gunicorn webapp.site.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

from engines.contract.no_pandas import forgo_pandas
from webapp.site.database_waits import PAGES_WAIT_S, wait_for_writes
from webapp.site.memory import give_memory_back

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")

give_memory_back()
application = get_wsgi_application()
wait_for_writes(PAGES_WAIT_S)
forgo_pandas()
