"""Settings of Django REST framework and of the OpenAPI generator; `webapp.site.settings` takes them over unchanged."""

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    # Tokens first: the first class decides that logged-out requests get 401 with WWW-Authenticate, not 403.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "webapp.api.authentication.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["webapp.api.throttling.SignedIn"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "webapp.api.negotiation.DescribedTypes",
    "DEFAULT_PARSER_CLASSES": ["webapp.api.parsers.JsonParser", "webapp.api.parsers.YamlParser"],
    "DEFAULT_PAGINATION_CLASS": "webapp.api.pagination.PageNumbers",
    # A person who is not signed in is counted by SignedIn above, and by the authentication where a token is not valid.
    "DEFAULT_THROTTLE_CLASSES": ["webapp.api.throttling.PrincipalThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/minute", "user": "1200/minute"},
    "NUM_PROXIES": 0,  # RequestLimitsMiddleware has put the visitor's own address where Django looks
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "webapp.api.errors.handle_exception",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Paretoscope",
    "DESCRIPTION": (
        "Explore hardware/software co-design spaces: engines, catalogue documents, runs, designs and their explanations. "
        "Browser, command line, notebook and this interface exchange the same problem document."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",  # whose schemas are those of JSON Schema, as pydantic writes them
    "POSTPROCESSING_HOOKS": ["webapp.api.schema.document_common_answers"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_PERMISSIONS": ["webapp.api.throttling.SignedIn"],
    # Nothing is loaded from elsewhere: the viewer comes from the sidecar package.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False},
}
"""Apps that the interface adds to INSTALLED_APPS: `rest_framework`, `drf_spectacular`, `drf_spectacular_sidecar`, `webapp.api`."""
