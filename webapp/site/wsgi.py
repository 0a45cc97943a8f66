"""WSGI entry point: `gunicorn webapp.site.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")

application = get_wsgi_application()
