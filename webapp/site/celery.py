"""The Celery application. Its messages only say "look": the database decides which run is worked on, and by whom."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
# Django's checks read every page, which no worker needs; they are made once, before a site starts (`paretoscope.prepare`).
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
TRANSPORT_ALIASES["filesystem"] = "webapp.site.file_queue:Transport"

app = Celery("paretoscope")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["webapp.runs"])
