"""WSGI entry point: `gunicorn webapp.site.wsgi`."""

import gc
import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from engines.contract.no_pandas import forgo_pandas
from webapp.base.database_waits import PAGES_WAIT_S, wait_for_writes
from webapp.base.preparation import wait_for_preparation
from webapp.site.late_imports import tell_late_imports
from webapp.site.memory import give_memory_back

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")


def load_pages() -> None:
    """Import all parts of pages before the first request: with `--preload` once for all processes of a web server."""
    # What is not named again below is loaded for what imports it on use.
    import scipy.optimize  # noqa: F401
    from django.template import engines as template_engines
    from django.urls import get_resolver
    from django.utils.module_loading import import_string

    from engines.documents.families import families
    from engines.registry import installed_engines
    from engines.reproduction.reproductions import parts_of, reproducible_engines
    from engines.running import weight_bits  # noqa: F401
    from frontend import guests  # noqa: F401
    from frontend.bridge import get_app
    from frontend.figures.drawing import load_traces
    from webapp.runs.wakeup import load_wakeup
    from webapp.teams import signed_in  # noqa: F401

    _ = get_resolver().url_patterns
    get_app()
    families()
    load_traces()
    for name in (settings.SESSION_SERIALIZER, settings.MESSAGE_STORAGE):
        import_string(name)
    for backend in template_engines.all():
        _ = backend.engine.template_loaders, backend.engine.template_context_processors  # type: ignore[attr-defined]
    installed_engines()
    for name in reproducible_engines():
        parts_of(name)
    load_wakeup()


gc.disable()  # nothing of what is loaded below may go
give_memory_back()
django.setup(set_prefix=False)
wait_for_writes(PAGES_WAIT_S)
forgo_pandas()
load_pages()
wait_for_preparation(settings.PARETOSCOPE_START_AFTER)
application = tell_late_imports(get_wsgi_application())
# What is there now stays. It is not looked through for what may go, which would also write to memory that processes share.
gc.collect()
gc.freeze()
gc.enable()
