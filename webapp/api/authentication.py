"""Identity of a request: `Authorization: Token pts_...` or `Authorization: Bearer pts_...`."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from webapp.api.models import ApiToken
from webapp.api.throttling import count_signed_out
from webapp.teams.permissions import limited

KEYWORDS = ("token", "bearer")


class ApiTokenAuthentication(BaseAuthentication):
    """Accepts the token that a user made on `/accounts/token/`."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        """Return the token's user, limited to its scope; None where the request carries no token.

        Raises:
            AuthenticationFailed: the token is malformed, unknown or expired, or its user is inactive.
            Throttled: too many such tokens came from this address.
        """
        keyword, _, text = request.headers.get("Authorization", "").partition(" ")
        if keyword.lower() not in KEYWORDS:
            return None
        token = ApiToken.find(text.strip())
        if token is None or not token.user.is_active:
            count_signed_out(request)
            raise AuthenticationFailed("This token is not valid. Make a new one on /accounts/token/.")
        if token.expired:
            count_signed_out(request)
            raise AuthenticationFailed("This token has expired. Make a new one on /accounts/token/.")
        token.note_use()
        return limited(token.user, token.limits), token

    def authenticate_header(self, request: Request) -> str:
        """Return the WWW-Authenticate header for a request without valid credentials."""
        return 'Token realm="api"'
