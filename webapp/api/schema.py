"""Additions to the OpenAPI document that the generator cannot find out by itself."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from pydantic.json_schema import GenerateJsonSchema

from webapp.api.problem_details import MEDIA_TYPE


class ApiTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How `ApiTokenAuthentication` is described."""

    target_class = "webapp.api.authentication.ApiTokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return an `Authorization` header with the token."""
        return {"type": "http", "scheme": "bearer", "description": "A token from /accounts/token/."}


class _Schemas(GenerateJsonSchema):
    """Pydantic's description without the titles that only repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False: fields need no title."""
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Return whether pydantic requires a field; keys of a mapping that may be missing are not required."""
        return (
            field.get("required", total)
            if field["type"] == "typed-dict-field"
            else super().field_is_required(field, total)
        )


class ShapeExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """How bodies and answers that are types are described."""

    target_class = "pydantic.BaseModel"
    match_subclasses = True
    priority = 1  # before the one that comes with the generator, which describes bodies as if they were answers

    def get_name(self, auto_schema: Any, direction: str) -> str:
        """Return the name of its class."""
        return str(self.target.__name__)

    def get_identity(self, auto_schema: Any, direction: str) -> Any:
        """Return the unique name of the shape, which also serves to find its fields."""
        return self.target.__name__

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """Return the JSON Schema of the shape; the schemas of nested types are registered next to it."""
        mode: Any = "validation" if direction == "request" else "serialization"
        template = "#/components/schemas/{model}"
        found: dict[str, Any] = self.target.model_json_schema(
            ref_template=template, mode=mode, schema_generator=_Schemas
        )
        for name, schema in found.pop("$defs", {}).items():
            part = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)  # type: ignore[no-untyped-call]
            auto_schema.registry.register_on_missing(part)
        found.pop("title", None)
        for each in found.get("properties", {}).values():
            if "anyOf" not in each and each.get("default", "") is None:  # left out of a form: its type has no null
                del each["default"]
        return found


_MESSAGE = {"$ref": "#/components/schemas/Message"}
_REFUSAL = {"$ref": "#/components/schemas/Refusal"}
# What every address may answer before its view is asked, or instead of it.
_COMMON = {
    "400": ("A parameter or the body is refused.", _REFUSAL),
    "401": ("There is no valid token or session.", _MESSAGE),
    "403": ("The session's changes need the token of the page.", _MESSAGE),
    "404": ("There is no such thing, or it is not yours to see.", _MESSAGE),
    "413": ("The body is too large.", _REFUSAL),
    "415": ("The body is of a type that this address does not read.", _REFUSAL),
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
            # There is no page of that number, or none at that cursor.
            pages = any(each["name"] == "page" for each in operation.get("parameters", ()))
            codes = [
                *_ANYWHERE,
                *(["404"] if pages or "{" in path else []),
                *(["403", "413"] if method in _CHANGES else []),
                *(["415"] if "requestBody" in operation else []),
            ]
            for code in sorted(codes):
                words, shape = _COMMON[code]
                content = {MEDIA_TYPE: {"schema": shape}}
                operation["responses"].setdefault(code, {"description": words, "content": content})
    return result
