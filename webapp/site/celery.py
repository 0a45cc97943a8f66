"""The Celery application. Its messages only say "look": the database decides which run is worked on, and by whom."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
TRANSPORT_ALIASES["filesystem"] = "webapp.site.file_queue:Transport"

app = Celery("paretoscope")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["webapp.runs"])
