"""A project with its members and invitations, as far as the person who looks may change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component
from django.utils import timezone

from frontend.components.button import button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.draft import draft, stored_mark
from frontend.components.icon import icon
from frontend.components.items.secret_link import secret_link
from frontend.components.limits import limits_card
from frontend.components.states import Tone, notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import many
from frontend.ids.team import TeamIds
from webapp.teams.invitations import DAYS, NewInvitation, open_invitations
from webapp.teams.models import Invitation, Membership, Project
from webapp.teams.permissions import Action, Principal, Role, role_of, roles_for, user_number
from webapp.teams.projects import members_of

ROLES = [{"value": role, "label": Role(role).label} for role in Role.values]
MAY = {
    Role.VIEWER: "sees everything in the project",
    Role.EDITOR: "also starts, changes and shares",
    Role.MAINTAINER: "also manages members and the project itself",
}


@dataclass(frozen=True)
class ActionOutcome:
    """The outcome of the last action: its text and tone, the new invitation, and the field values."""

    words: str = ""
    tone: Tone = "plain"
    invited: NewInvitation | None = None
    typed: Mapping[str, str] = field(default_factory=dict)
    renamed: bool = False


def project_view(
    person: Principal, project: Project, told: ActionOutcome | None = None, role: str | None = None
) -> list[Component]:
    """Name, members, invitations and limits.

    Args:
        person: who looks; a member.
        project: the project.
        told: about the last action.
        role: role of the person in the project, where it is known; None asks for it.
    """
    told = told or ActionOutcome()
    manages = (role or role_of(person, project)) in roles_for(Action.MANAGE)
    members = list(members_of(project))
    parts = [
        html.Div(notice(told.words, tone=told.tone) if told.words else None, className="told", role="status"),
        _members_card(person, project, members, manages),
    ]
    if manages:
        opened = _open_card(project)
        # Always as many parts: what is typed in the last one stays where it is.
        parts += [_invite_card(told), html.Div(opened, hidden=not opened), _name_card(project, told)]
    return [*parts, limits_card(project, user_number(person))]


def action_id(name: str, number: int = 0) -> dict[str, Any]:
    """Return the id of a button that does `name` to the member or invitation of that number."""
    return {"type": TeamIds.ACTION_TYPE, "name": name, "number": number}


def field_id(name: str) -> dict[str, Any]:
    """Return the id of a field; a page that has none of them has all buttons of those who only look."""
    return {"type": TeamIds.FIELD_TYPE, "name": name}


# -- members ----------------------------------------------------------------------------------------------------------


def _members_card(person: Principal, project: Project, members: list[Membership], manages: bool) -> Component:
    rows = [_member_row(person, project, member, manages) for member in members]
    table = plain_table([Column("Member"), Column("Role"), Column("")], rows)
    counts = many(len(members), "member")
    words = html.Ul(
        [html.Li([html.B(Role(role).label), f" {words}"]) for role, words in MAY.items()], className="sm t2 team-roles"
    )
    body = html.Div(table, className="table-scroll team-members")
    return card("Members", body, words, subtitle=counts, class_name="team-card")


def _member_row(person: Principal, project: Project, member: Membership, manages: bool) -> list[Component | str]:
    name, own = member.user.get_username(), member.user_id == person.pk
    keeper = project.personal_of_id == member.user_id
    who = html.Span([name, chip("you") if own else None], className="row g4")
    role: Component = html.Span(Role(member.role).label)
    if manages and not keeper:
        role = dmc.Select(
            id={"type": TeamIds.ROLE_TYPE, "number": member.user_id},
            data=ROLES,
            value=member.role,
            allowDeselect=False,
            size="xs",
            w=130,
            **{"aria-label": f"Role of {name}"},
        )
    return [who, role, html.Div(_member_actions(project, member, own, manages, keeper), className="row team-actions")]


def _member_actions(
    project: Project, member: Membership, own: bool, manages: bool, keeper: bool
) -> list[Component | None]:
    name = member.user.get_username()
    if keeper:
        return [html.Span("their personal project" if not own else "your personal project", className="sm t3")]
    if own:
        return [_asking("Leave", "leave", 0, f"Leave {project.title}? You can then no longer see its items.")]
    if not manages:
        return []
    hand_over = f"Transfer {project.title} to {name}? You then become an editor."
    remove = f"Remove {name} from {project.title}? Their items stay here."
    return [
        _asking("Transfer", "hand-over", member.user_id, hand_over) if project.personal_of_id is None else None,
        _asking("Remove", "remove", member.user_id, remove),
    ]


def _asking(words: str, name: str, number: int, question: str) -> Component:
    return button(words, id=action_id(name, number), kind="quiet", size="small", question=question)


# -- invitations ------------------------------------------------------------------------------------------------------


def _invite_card(told: ActionOutcome) -> Component:
    typed = {} if told.invited else told.typed
    whom = dmc.TextInput(
        id=field_id("whom"), value=typed.get("whom", ""), placeholder="name@example.org, or an account's name",
        size="xs", className="grow", **{"aria-label": "Whom to invite"},
    )  # fmt: skip
    role = dmc.Select(
        id=field_id("role"), data=ROLES, value=told.typed.get("role", "viewer"), allowDeselect=False, size="xs", w=120,
        **{"aria-label": "Role of the invited person"},
    )  # fmt: skip
    days = [{"value": str(each), "label": many(each, "day")} for each in DAYS]
    until = dmc.Select(
        id=field_id("days"), data=days, value=told.typed.get("days", "7"), allowDeselect=False, size="xs", w=96,
        **{"aria-label": "Holds for"},
    )  # fmt: skip
    send = button("Invite", id=action_id("invite"), icon="plus", kind="primary")
    made: list[Component] = []
    if told.invited is not None:
        invited = told.invited
        words = f"Mailed to {invited.invitation.person}." if invited.mailed else invited.trouble
        made = [secret_link("Link of the invitation", invited.address, words)]
    words = "For one person, once. Only that person can use the link, with or without e-mail."
    form = html.Div(
        [whom, role, until, send, stored_mark() if told.invited else None], className="row", **draft(name="invite")
    )
    return card("Invite", form, *made, subtitle=words)


def _open_card(project: Project) -> list[Component]:
    rows = [_invitation_row(each) for each in open_invitations(project)]
    if not rows:
        return []
    columns = [Column("For"), Column("Role"), Column("By"), Column("Until"), Column("")]
    table = html.Div(plain_table(columns, rows), className="table-scroll team-members")
    return [card("Not taken yet", table)]


def _invitation_row(invitation: Invitation) -> list[Component | str]:
    over = invitation.expires <= timezone.now()
    until = (
        chip("over", tone="warn") if over else html.Span(f"{invitation.expires:%-d %b %Y, %H:%M} UTC", className="num")
    )
    withdraw = button("Withdraw", id=action_id("withdraw", invitation.pk), kind="quiet", size="small")
    who = html.Span([icon("user", "s", "t3"), invitation.person], className="row g4")
    role = Role(invitation.role).label
    return [who, role, invitation.made_by.get_username(), until, html.Div(withdraw, className="row team-actions")]


def _name_card(project: Project, told: ActionOutcome) -> Component:
    title = dmc.TextInput(
        id=field_id("title"),
        value=told.typed.get("title", project.title),
        size="xs",
        className="grow",
        **{"aria-label": "Name"},
    )
    rename = button("Rename", id=action_id("rename"))
    words = [
        "Its name on the command line and in the REST interface is ",
        html.Code(project.slug, className="mono"),
        ".",
    ]
    form = html.Div(
        [title, rename, stored_mark(f"/team/{project.slug}") if told.renamed else None],
        className="row",
        **draft(name="name"),
    )
    return card("Name", form, html.P(words, className="sm t3 team-slug"))
