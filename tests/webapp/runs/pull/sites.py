"""A site for pull workers of this process: requests go to the views without a socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.test import APIClient

from webapp.api.tokens import make_token
from webapp.runs.pull.site import Site, SiteError, detail_of
from webapp.runs.pull.site_access import SiteQueue
from webapp.runs.queue.claim import Offer
from webapp.runs.worker.worker import Worker


class LocalSite(Site):
    """Counts the calls; loses the first answers to some of them; does something `after` others."""

    def __init__(self, token: str) -> None:
        super().__init__("http://127.0.0.1:1", token)
        self.client = APIClient()
        self.client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        self.calls: list[str] = []
        self.lost_answers: set[str] = set()
        self.after: dict[str, Callable[[], object]] = {}

    def _send(self, path: str, body: bytes, kind: str) -> bytes:
        name = path.rstrip("/").rpartition("/")[2]
        self.calls.append(name)
        response: Any = self.client.generic("POST", f"/api/v1/{path}", body, content_type=kind)
        if response.status_code >= 400:
            raise SiteError(response.status_code, detail_of(response.content))
        if name in self.lost_answers:
            self.lost_answers.discard(name)
            raise SiteError(0, "The answer got lost.")
        self.after.get(name, lambda: None)()
        return bytes(response.content)


def worker_token(person: Any, project: str | None = None) -> str:
    """The text of a new token of a worker."""
    return make_token(person, f"Worker {project}", "worker", project)[1]


def pull_worker(site: Site, refusals: list[str] | None = None, name: str = "node1:7") -> Worker:
    """A worker without a thread of its own: `look` takes what there is."""
    told = [] if refusals is None else refusals
    return Worker(name, 1, Offer(frozenset({"data"})), queue=SiteQueue(site, told.append, told.append))
