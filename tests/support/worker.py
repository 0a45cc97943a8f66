"""A Celery worker that also knows the toy engines: `python -m tests.support.worker`."""

from __future__ import annotations

import sys

from tests.support.toy_engine import register_toys

if __name__ == "__main__":
    register_toys()
    from webapp.site.celery import app

    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.worker_main(["worker", "--pool", "threads", "--loglevel", "INFO", *quiet, *sys.argv[1:]])
