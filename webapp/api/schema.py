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


_MESSAGE = {"$ref": "#/components/schemas/Message"}
_REFUSAL = {"$ref": "#/components/schemas/Refusal"}
# What every address may answer before its view is asked, or instead of it.
_COMMON = {
    "400": ("A parameter or the body is refused.", _REFUSAL),
    "401": ("There is no valid token or session.", _MESSAGE),
    "403": ("The session's changes need the token of the page.", _MESSAGE),
    "404": ("There is no such thing, or it is not yours to see.", _MESSAGE),
    "413": ("The body is too large.", _REFUSAL),
    "429": ("Too many requests; `Retry-After` says when to try again.", _MESSAGE),
    "503": (
        "The database does not answer, or others are being served; `Retry-After` says when to try again.",
        _MESSAGE,
    ),
}
_ANYWHERE = ("400", "401", "429", "503")
_CHANGES = ("post", "put", "patch", "delete")


def document_common_answers(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the answers that views need not name: each may be met at any address of its kind."""
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            codes = [*_ANYWHERE, *(["404"] if "{" in path else []), *(["403", "413"] if method in _CHANGES else [])]
            for code in sorted(codes):
                words, shape = _COMMON[code]
                content = {"application/json": {"schema": shape}}
                operation["responses"].setdefault(code, {"description": words, "content": content})
    return result
