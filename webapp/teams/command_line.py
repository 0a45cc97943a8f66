"""The user and the project for which a command acts."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.core.management.base import CommandError

from webapp.base.actor import name_person
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, visible_projects

LOCAL_USER = "local"


def add_owner_arguments(parser: ArgumentParser) -> None:
    """Add `--user` and `--project`."""
    parser.add_argument("--user", help="whose it is (default: demo, else a user named local, made on first use)")
    parser.add_argument("--project", metavar="SLUG", help="where it belongs (default: the user's own project)")


def command_user(name: str | None) -> Any:
    """Return the whose runs a command makes: the user of that name, else demo, else one named local, made on first use."""
    found = _command_user(name)
    name_person(found)
    return found


def _command_user(name: str | None) -> Any:
    users = get_user_model().objects
    if name is not None:
        found = users.filter(username=name, is_active=True).first()
        if found is None:
            names = ", ".join(users.filter(is_active=True).order_by("username").values_list("username", flat=True)[:20])
            raise CommandError(
                f"--user must be one of {names or '(there are no users)'}. Got {name!r} instead.", returncode=2
            )
        return found
    demo = users.filter(username="demo", is_active=True).first()
    # Two commands may need it first at the same time.
    return demo or users.get_or_create(username=LOCAL_USER, defaults={"password": make_password(None)})[0]


def command_project(user: Principal, slug: str | None) -> Project | None:
    """Return the project given by `--project`; None without the option."""
    found = visible_projects(user).filter(slug=slug).first() if slug else None
    if slug and found is None:
        slugs = ", ".join(visible_projects(user).values_list("slug", flat=True))
        raise CommandError(f"--project must be one of {slugs}. Got {slug!r} instead.", returncode=2)
    return found
