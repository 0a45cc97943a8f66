"""Messages to send, stored in the transaction of the change that they report."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.conf import settings
from django.utils import timezone

from webapp.runs.models import Run
from webapp.studies.models import Study
from webapp.webhooks.models import PING, Delivery, Event, Webhook

_ENDED = (Run.Status.DONE, Run.Status.FAILED)


def note_end(sender: Any, run_id: int, **_facts: Any) -> None:
    """Store the messages to webhooks on the end of a run, and of its study where that was the last one."""
    hooks = list(Webhook.objects.select_related("project").filter(project__runs=run_id, active=True))
    if not hooks:
        return
    run = Run.objects.select_related("project", "owner").get(pk=run_id)
    if run.deleted is None:
        _store(hooks, _event(run), {"run": _run_facts(run)})
    if run.study_id is not None and any(Event.STUDY_DONE in hook.events for hook in hooks):
        _note_study(hooks, run.study_id)


def ping(hook: Webhook) -> Delivery:
    """Return an empty message, to see whether the address answers."""
    return _store([hook], PING, {})[0]


def _note_study(hooks: list[Webhook], study_id: int) -> None:
    # Of two runs that end at the same moment neither would see the other's end.
    study = (
        Study.objects.select_for_update(of=("self",)).select_related("owner").filter(pk=study_id, deleted=None).first()
    )
    if study is None:
        return
    statuses = list(Run.objects.filter(study=study, deleted=None).values_list("status", flat=True))
    if all(status in _ENDED for status in statuses):
        counts = {status: statuses.count(status) for status in _ENDED}
        _store(hooks, Event.STUDY_DONE, {"study": _study_facts(study) | {"runs": counts}})


def _store(hooks: list[Webhook], event: str, facts: dict[str, Any]) -> list[Delivery]:
    wanted = [hook for hook in hooks if event == PING or event in hook.events]
    deliveries = []
    for hook in wanted:
        identifier = f"msg_{uuid.uuid4().hex}"
        project = {"slug": hook.project.slug, "title": hook.project.title}
        # Seconds are enough: `webhook-timestamp` has the time of each attempt.
        body = {
            "id": identifier,
            "type": event,
            "timestamp": timezone.now().isoformat(timespec="seconds"),
            "project": project,
            **facts,
        }
        deliveries.append(
            Delivery(webhook=hook, identifier=identifier, event=event, body=json.dumps(body, ensure_ascii=False))
        )
    return Delivery.objects.bulk_create(deliveries)


def _event(run: Run) -> str:
    if run.status == Run.Status.FAILED:
        return Event.RUN_FAILED
    return Event.RUN_INFEASIBLE if run.outcome == Run.Outcome.INFEASIBLE else Event.RUN_DONE


def _run_facts(run: Run) -> dict[str, Any]:
    return {
        "id": run.pk,
        "title": run.title,
        "engine": run.engine,
        "status": run.status,
        "outcome": run.outcome,
        "owner": run.owner.get_username(),
        "study": run.study_id,
        "design_count": run.design_count,
        "computed_s": round(run.computed_s, 3),
        "finished": run.finished.isoformat() if run.finished else None,
        "url": f"{settings.PARETOSCOPE_PUBLIC_URL}/runs/{run.pk}",
    }


def _study_facts(study: Study) -> dict[str, Any]:
    url = f"{settings.PARETOSCOPE_PUBLIC_URL}/studies/{study.pk}"
    return {"id": study.pk, "title": study.title, "owner": study.owner.get_username(), "url": url}
