"""Settings, URL root, WSGI and Celery application, system checks."""

from webapp.site.celery import app as celery_app

__all__ = ["celery_app"]
