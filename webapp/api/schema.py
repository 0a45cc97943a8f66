"""What the OpenAPI generator cannot find out by itself."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class ApiTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How `ApiTokenAuthentication` is described."""

    target_class = "webapp.api.authentication.ApiTokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """An `Authorization` header with the token."""
        return {"type": "http", "scheme": "bearer", "description": "A token from /accounts/token/."}
