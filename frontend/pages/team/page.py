"""The projects of a user, and the members of one of them."""

from __future__ import annotations

from typing import Any

import dash
import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.addresses import visible_at
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.draft import draft
from frontend.components.icon import icon
from frontend.components.items.deleted_item import nothing_page
from frontend.components.name import cut_name
from frontend.ids.team import TeamIds
from frontend.ids.webhooks import WebhookIds
from frontend.pages.team.view import project_view
from frontend.pages.team.webhooks import webhooks_part
from frontend.request import chosen_project, current_user
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import Action, Principal, Role, role_of, roles_for, user_number
from webapp.teams.visibility import NotVisible, require_visible, visible_projects


def get_project(person: Principal, slug: Any) -> Project:
    """Return the project of that name in addresses.

    Raises:
        NotVisible: there is none, or `person` does not belong to it.
    """
    return require_visible(person, Project.objects.all(), slug=slug)


def layout(slug: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user; without a name, of the project that is chosen in the header."""
    person = current_user()
    if not person.is_authenticated:
        return html.Div()
    try:
        project = get_project(person, slug) if slug else chosen_project()
    except NotVisible:
        return _nothing()
    role = role_of(person, project)
    head = html.Div([html.H1(project.title), chip("personal") if project.personal_of_id else None], className="row")
    return html.Div(
        [
            dcc.Location(id=TeamIds.LOCATION, refresh=True),
            dcc.Store(id=TeamIds.PROJECT, data=project.slug),
            html.Div(head, className="head"),
            html.Div(
                [
                    html.Aside(_projects_card(person, project), className="team-list"),
                    html.Div(
                        [
                            html.Div(project_view(person, project, role=role), id=TeamIds.BODY, className="stack g12"),
                            *_webhooks(project, role),
                        ],
                        className="stack g12 grow",
                    ),
                ],
                className="page team-page",
            ),
        ]
    )


dash.register_page(__name__, path="/team", name="Team", title="Team · Paretoscope", layout=layout)
dash.register_page(
    f"{__name__}.project",
    path_template="/team/<slug>",
    exists=visible_at(get_project),
    name="Project",
    title="Team · Paretoscope",
    layout=layout,
)


def _webhooks(project: Project, role: str | None) -> list[Component]:
    """Return a part of its own, which actions on members do not draw again."""
    if role not in roles_for(Action.CONNECT):
        return []
    return [html.Div(webhooks_part(project), id=WebhookIds.BODY, className="stack g12")]


def _nothing() -> Component:
    actions = [link_button("Your projects", "/team", kind="primary", size="small")]
    words = "It does not exist, or you are no member of it."
    return nothing_page("This project does not exist here", words, actions)


def _projects_card(person: Principal, shown: Project) -> Component:
    roles = dict(Membership.objects.filter(user_id=user_number(person)).values_list("project", "role"))
    entries = [
        dcc.Link(
            [
                icon("user" if project.personal_of_id else "stack-2", "s", "t3"),
                cut_name(project.title, "grow"),
                html.Span(Role(roles[project.pk]).label, className="sm t3") if project.pk in roles else None,
            ],
            href=f"/team/{project.slug}",
            className="li on" if project.pk == shown.pk else "li",
        )
        for project in visible_projects(person)
    ]
    title = dmc.TextInput(
        id=TeamIds.NEW_TITLE, placeholder="Name of a new project", size="xs", className="grow",
        **{"aria-label": "Name of a new project"},
    )  # fmt: skip
    make = html.Div([title, button("Create", id=TeamIds.CREATE, icon="plus")], className="row team-new")
    told = html.Div(id=TeamIds.CREATE_ERROR, role="alert")
    form = html.Div([make, told], **draft(name="project"))
    return card("Projects", html.Nav(entries, **{"aria-label": "Projects"}), form)
