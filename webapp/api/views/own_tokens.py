"""One's own tokens over REST: listed by any of them, made and ended by who is signed in."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.models import ApiToken
from webapp.api.shapes import tokens as shapes
from webapp.api.shapes.base import answer, many, read
from webapp.api.tokens import end_token, make_token, tokens_of
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.teams.permissions import NotAllowed


class TokenListView(APIView):
    """One's own tokens."""

    @extend_schema(operation_id="tokens_list", responses={200: many(shapes.Token), **REFUSED}, tags=["tokens"])
    def get(self, request: Request) -> Response:
        """Return your tokens with scope, project, expiry and last use; never their texts."""
        arguments.only(request)
        return answer(many(shapes.Token), list(tokens_of(request.user)))

    @extend_schema(
        operation_id="tokens_create",
        request=shapes.NewToken,
        responses={201: shapes.MadeToken, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["tokens"],
    )
    def post(self, request: Request) -> Response:
        """Make a token. This takes a session: a token makes none, or its scope would be no limit."""
        if isinstance(request.auth, ApiToken):
            raise NotAllowed("A token makes no tokens: sign in, or use /accounts/token/.")
        body = read(shapes.NewToken, request)
        token, text = make_token(request.user, body.name, body.scope, body.project, body.expires)
        return answer(shapes.MadeToken, {"token": token, "text": text}, status.HTTP_201_CREATED)


class TokenView(APIView):
    """One of one's own tokens."""

    @extend_schema(operation_id="tokens_end", responses={204: None, **NOT_ALLOWED, **NOT_FOUND}, tags=["tokens"])
    def delete(self, request: Request, token: int) -> Response:
        """End a token. A token may end itself, and none but itself."""
        if isinstance(request.auth, ApiToken) and request.auth.pk != token:
            raise NotAllowed("A token ends no token but itself: sign in, or use /accounts/token/.")
        end_token(request.user, token)
        return Response(status=status.HTTP_204_NO_CONTENT)
