"""Making and ending one's own tokens; the page and the interface call these."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from webapp.api.models import ApiToken, digest_of, new_text
from webapp.teams.models import Project
from webapp.teams.permissions import NotVisible, Principal, known, limits_of, user_number
from webapp.teams.row_locks import account_lock
from webapp.teams.visibility import require_visible

MOST_TOKENS = 50
_LONGEST_NAME = 80


def tokens_of(person: Principal) -> QuerySet[ApiToken]:
    """Return one's own tokens, oldest first, with their projects; to a token of one project only those of that project."""
    if not known(person):
        return ApiToken.objects.none()
    limits, found = limits_of(person), ApiToken.objects.filter(user_id=user_number(person)).select_related("project")
    return found if limits is None or limits.project is None else found.filter(project=limits.project)


def make_token(
    person: Principal,
    name: str,
    scope: str = ApiToken.Scope.WRITE,
    project: str | None = None,
    expires: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Return a new token and its text, which is not stored.

    Args:
        person: whose it is.
        name: name of the token, unique among those of its owner.
        scope: one of `ApiToken.Scope`.
        project: slug of the only project that it is for; None is all that they see, which an agent's may not be.
        expires: from then on it is refused; None is never.

    Raises:
        ProblemError: names the field, what was got and what is accepted.
        NotVisible: there is no such project for them.
    """
    name = checked_title("name", name, _LONGEST_NAME)
    if scope not in ApiToken.Scope.values:
        raise ProblemError("scope", scope, f"one of {', '.join(ApiToken.Scope.values)}")
    if expires is not None and expires <= timezone.now():
        raise ProblemError("expires", expires.isoformat(), "a time in the future")
    if scope == ApiToken.Scope.AGENT and not project:
        raise ProblemError("project", project, "the project that the agent measures for")
    only = require_visible(person, Project.objects.all(), slug=project) if project else None
    text = new_text()
    facts = {"digest": digest_of(text), "hint": text[:8], "scope": scope, "project": only, "expires": expires}
    with account_lock(user_number(person)):
        if tokens_of(person).exclude(name=name).count() >= MOST_TOKENS:
            raise ProblemError(
                "name", name, f"one of at most {MOST_TOKENS} tokens per person", remedies=["End a token first."]
            )
        token, made = ApiToken.objects.get_or_create(user_id=user_number(person), name=name, defaults=facts)
    if not made:
        raise ProblemError("name", name, "a name that none of your tokens has")
    return token, text


def end_token(person: Principal, number: int) -> None:
    """End one of one's own tokens.

    Raises:
        NotVisible: there is none of that number, or it is another person's.
    """
    if not tokens_of(person).filter(pk=number).delete()[0]:
        raise NotVisible(f"There is no token {number} here.")
