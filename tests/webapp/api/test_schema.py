"""The OpenAPI document and its viewer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from django.contrib.staticfiles import finders
from django.core.management import call_command
from pydantic import BaseModel
from rest_framework.test import APIClient

from tests.webapp.api.test_permissions import CASES, cases_of, patterns
from webapp.api.shapes.base import Body, Form, Shape
from webapp.api.urls import urlpatterns
from webapp.runs.models import Run


def test_it_has_no_warnings_and_describes_every_view(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))
    schema = yaml.safe_load((tmp_path / "schema.yaml").read_text())
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    assert len(operations) == len(CASES) + len(cases_of(agents=True))
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert all(operation.get("description") and operation["tags"] for operation in operations)
    assert all(("415" in operation["responses"]) == ("requestBody" in operation) for operation in operations)
    assert "token" in schema["components"]["securitySchemes"]
    for name, shape in schema["components"]["schemas"].items():
        for key, each in shape.get("properties", {}).items():
            assert "anyOf" in each or each.get("default", "") is not None, (
                f"{name}.{key} has a default that its type lacks"
            )


def test_the_viewer_loads_nothing_from_elsewhere(client: APIClient) -> None:
    page = client.get("/api/docs/", headers={"Accept": "text/html"})
    html = page.content.decode()
    assert page.status_code == 200 and "script-src 'self';" in page.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", html, re.DOTALL)
    assert scripts and all("src=" in attributes and not body.strip() for attributes, body in scripts)
    addresses = re.findall(r'(?:src|href)="([^"]+)"', html)
    assert addresses and all(address.startswith("/") and not address.startswith("//") for address in addresses)
    for address in addresses:
        if address.startswith("/static/"):
            assert finders.find(address.removeprefix("/static/").partition("?")[0])


def test_files_may_be_asked_for_by_their_type(client: APIClient, run: Run) -> None:
    for path, kind in (
        (f"runs/{run.pk}/designs.csv", "text/csv"), (f"runs/{run.pk}/designs.parquet", "application/vnd.apache.parquet"),
        (f"runs/{run.pk}/problem.yaml", "application/yaml"), (f"runs/{run.pk}/citation.bib", "application/x-bibtex"),
        ("documents/hardware/jetson-tx2/document.yaml", "application/yaml"), ("changes.csv", "text/*"),
        (f"runs/{run.pk}/", "application/json"),
    ):  # fmt: skip
        assert client.get(f"/api/v1/{path}", headers={"Accept": kind}).status_code == 200, path
        assert client.get(f"/api/v1/{path}", headers={"Accept": "image/png"}).status_code == 406, path
    refused = client.get("/api/v1/runs/99999/designs.csv", headers={"Accept": "text/csv"})
    assert refused.status_code == 404 and refused.headers["Content-Type"].startswith("application/problem+json")


def test_strangers_to_the_site_get_no_schema(db: None) -> None:
    assert APIClient().get("/api/schema/").status_code == 401
    assert APIClient().get("/api/docs/").status_code == 302


def test_the_documentation_names_every_address() -> None:
    text = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
    for pattern in patterns(urlpatterns):
        last = str(pattern.pattern).rstrip("/").rpartition("/")[2]
        assert last in text or last.startswith("<"), f"{pattern.pattern} is missing from docs/api.md"


def test_no_two_shapes_share_a_name() -> None:
    """A name is the key of a shape's description: of two with one name, one would be described as the other."""
    names = [kind.__name__ for base in (Shape, Body, Form) for kind in _below(base)]
    assert len(names) > 60 and len(set(names)) == len(names)


def _below(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("webapp."):
            yield each
        yield from _below(each)
