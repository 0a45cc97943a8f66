"""Webhooks of a project and what was sent to them, for its maintainers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from django.conf import settings

from frontend.components.button import button
from frontend.components.card import card
from frontend.components.chip import Tone as ChipTone
from frontend.components.chip import chip
from frontend.components.draft import draft, stored_mark
from frontend.components.items.secret_link import secret_link
from frontend.components.states import Tone, notice
from frontend.components.table import Column, plain_table
from frontend.ids.webhooks import WebhookIds
from webapp.teams.models import Project
from webapp.webhooks.models import Delivery, Event, Webhook
from webapp.webhooks.senders import MOST_ATTEMPTS

NEWEST = 20
_LONGEST_ANSWER = 80
_TONES: Mapping[str, ChipTone] = {"waiting": "plain", "delivered": "good", "failed": "bad"}


@dataclass(frozen=True)
class WebhookView:
    """The part of the page besides the webhooks themselves.

    Attributes:
        words, tone: message on the last action, and its tone.
        secret: secret of the webhook that it made; "" where it made none.
        opened: number of the webhook whose deliveries are shown; 0 for none.
        given: values of the fields.
    """

    words: str = ""
    tone: Tone = "plain"
    secret: str = ""
    opened: int = 0
    given: tuple[str, tuple[str, ...]] = ("", (Event.RUN_DONE, Event.RUN_FAILED, Event.RUN_INFEASIBLE))


def action_id(name: str, number: int = 0, of: int = 0) -> dict[str, Any]:
    """Return the id of a button that does `name` to that webhook, or to a delivery `of` it."""
    return {"type": WebhookIds.ACTION_TYPE, "name": name, "number": number, "of": of}


def webhooks_part(project: Project, shown: WebhookView | None = None) -> list[Component]:
    """Return the cards, for a person who was asked already whether they may look after webhooks.

    Args:
        project: whose webhooks they are.
        shown: further items to show.
    """
    shown = shown or WebhookView()
    hooks = list(project.webhooks.all())
    told = html.Div(notice(shown.words, tone=shown.tone) if shown.words else None, className="told", role="status")
    opened = next((hook for hook in hooks if hook.pk == shown.opened), None)
    listed = html.Div([*_off(hooks), *_table(hooks)])  # one part, however many: the form below it stays
    parts = [card("Webhooks", listed, _new(shown), told, *_made(shown), subtitle=_WORDS)]
    return [*parts, _deliveries_card(opened)] if opened is not None else parts


_WORDS = "The site calls your program over HTTP when a run or study ends. Every message is signed."


def _off(hooks: list[Webhook]) -> list[Component]:
    words = "{} was switched off on {:%-d %b %Y}: it took no message for {} days. Switch it on when it answers again."
    days = settings.PARETOSCOPE_WEBHOOK_DAYS
    return [notice(words.format(hook.url, hook.given_up, days), tone="warn") for hook in hooks if hook.given_up]


def _table(hooks: list[Webhook]) -> list[Component]:
    if not hooks:
        return []
    columns = [Column("Address"), Column("Events"), Column(""), Column("")]
    return [html.Div(plain_table(columns, [_row(hook) for hook in hooks]), className="table-scroll webhooks-table")]


def _row(hook: Webhook) -> list[Component | str]:
    address = html.Span(hook.url, className="mono el webhook-url", title=hook.url)
    events = html.Span(", ".join(Event(event).label for event in hook.events), className="sm")
    if not hook.active:
        state = chip("off", tone="warn")
    else:
        state = chip("failing", tone="warn") if hook.failing_since else chip("on", tone="good")
    question = f"Delete the webhook to {hook.url}? Its deliveries are deleted too."
    end = button("End", id=action_id("end", hook.pk), kind="quiet", size="small", question=question)
    acts = [
        button("Deliveries", id=action_id("deliveries", hook.pk), kind="quiet", size="small"),
        button("Test", id=action_id("test", hook.pk), kind="quiet", size="small") if hook.active else None,
        button(
            "Switch off" if hook.active else "Switch on",
            id=action_id("off" if hook.active else "on", hook.pk), kind="quiet", size="small",
        ),
        end,
    ]  # fmt: skip
    return [address, events, state, html.Div(acts, className="row team-actions")]


def _new(shown: WebhookView) -> Component:
    url = dmc.TextInput(
        id={"type": WebhookIds.FIELD_TYPE, "name": "url"}, placeholder="https://example.org/paretoscope", size="xs",
        value=shown.given[0], className="grow", **{"aria-label": "Address of a new webhook"},
    )  # fmt: skip
    events = dmc.CheckboxGroup(
        html.Div([dmc.Checkbox(label=event.label, value=event.value, size="xs") for event in Event], className="row wrap g12"),
        id={"type": WebhookIds.FIELD_TYPE, "name": "events"}, value=list(shown.given[1]),
        **{"aria-label": "Events of the webhook"},
    )  # fmt: skip
    make = button("Add", id=action_id("make"), icon="plus")
    stored = stored_mark() if shown.secret else None
    return html.Div(
        [html.Div([url, make], className="row"), events, stored], className="stack webhook-new", **draft(name="webhook")
    )


def _made(shown: WebhookView) -> list[Component]:
    return (
        [secret_link("Secret of the webhook", shown.secret, "Messages are signed with it.", what="secret")]
        if shown.secret
        else []
    )


# -- deliveries -------------------------------------------------------------------------------------------------------


def _deliveries_card(hook: Webhook) -> Component:
    rows = [_delivery_row(each) for each in hook.deliveries.all()[:NEWEST]]
    look = button("Look again", id=action_id("deliveries", hook.pk), kind="quiet", size="small")
    words = f"The newest {NEWEST}" if len(rows) == NEWEST else ""
    columns = [
        Column("Message"),
        Column("Made"),
        Column(""),
        Column("Attempts", number=True),
        Column("Last answer"),
        Column(""),
    ]
    body: Component = html.Div("No deliveries yet.", className="sm t2")
    if rows:
        body = html.Div(plain_table(columns, rows), className="table-scroll webhooks-table")
    return card(f"Deliveries to {hook.url}", body, html.Div(look, className="row team-actions"), subtitle=words)


def _delivery_row(delivery: Delivery) -> list[Component | str]:
    message = html.Details(
        [html.Summary(delivery.event), html.Pre(_indented(delivery.body), className="mono webhook-body", tabIndex="0")]
    )
    again = button("Send again", id=action_id("again", delivery.pk, delivery.webhook_id), kind="quiet", size="small")
    made = html.Span(f"{delivery.created:%-d %b, %H:%M:%S} UTC", className="num nw")
    state = chip(delivery.status, tone=_TONES[delivery.status])
    return [
        message,
        made,
        state,
        f"{delivery.attempts} of {MOST_ATTEMPTS}",
        _answer(delivery),
        html.Div(again, className="row team-actions"),
    ]


def _answer(delivery: Delivery) -> Component:
    if delivery.tried is None:
        return html.Span("–")
    start = " ".join(delivery.answer_start.split())
    words = [str(delivery.answer_status)] if delivery.answer_status is not None else []
    words += [f"{delivery.took_ms} ms"] if delivery.took_ms is not None else []
    words += [delivery.trouble] if delivery.trouble else []
    shown = [html.Div(" · ".join(words), className="sm")]
    if start:
        short = start if len(start) <= _LONGEST_ANSWER else f"{start[: _LONGEST_ANSWER - 1]}…"
        shown.append(html.Div(short, className="mono t2", title=start))
    next_try = delivery.status == Delivery.Status.WAITING and delivery.attempts
    shown += [html.Div(f"again at {delivery.due:%H:%M:%S} UTC", className="sm t3")] if next_try else []
    return html.Div(shown, className="webhook-answer")


def _indented(text: str) -> str:
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
