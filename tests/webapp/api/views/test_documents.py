"""Reading and storing documents of the catalogue."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from django.contrib.auth import get_user_model
from rest_framework.test import APIClient

from engines.contract.encoding.document_text import to_yaml
from engines.workloads.builtins import builtin_scenarios
from hardware.value_edits import with_values
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.models import Document
from webapp.catalogue.official_documents import promote
from webapp.catalogue.service import copy_of, store_version

URL = "/api/v1/documents/"


@pytest.fixture
def package(people: People) -> dict[str, Any]:
    return copy_of(people.owner, "hardware", "simba-3x3-nvdla")


def _store(client: APIClient, content: dict[str, Any], project: str = "lab") -> Any:
    return client.post(URL, {"content": content, "project": project}, format="json")


def test_it_lists_built_ins_by_kind(client: APIClient) -> None:
    found = client.get(URL, {"kind": "hardware", "page_size": 500}).json()
    names = {entry["slug"] for entry in found["results"]}
    assert found["count"] == len(names) >= 10 and "simba-3x3-het-sides" in names
    assert all(entry["builtin"] and entry["project"] is None for entry in found["results"])


def test_it_lists_by_schema(client: APIClient) -> None:
    found = client.get(URL, {"kind": "workload", "schema": "scenario/1", "page_size": 3}).json()
    assert found["count"] == len(builtin_scenarios()) and len(found["results"]) == 3
    assert "page=2" in found["next"]


def test_it_refuses_unknown_kinds(client: APIClient) -> None:
    answer = client.get(URL, {"kind": "hardwear"})
    assert answer.status_code == 400
    assert answer.json()["field"] == "kind" and "hardware" in answer.json()["accepted"]


def test_it_stores_versions(client: APIClient, package: dict[str, Any]) -> None:
    first = _store(client, package)
    assert (first.status_code, first.json()["version"], first.json()["project"]) == (201, 1, "lab")
    assert _store(client, package).status_code == 200
    second = _store(client, {**package, "title": "Another title"})
    assert (second.status_code, second.json()["version"]) == (201, 2)
    old = client.get(f"{URL}hardware/{package['slug']}/", {"version": 1}).json()
    assert old["content"] == package and old["content_hash"] == first.json()["content_hash"]
    versions = client.get(f"{URL}hardware/{package['slug']}/versions/").json()
    assert [(entry["version"], entry["created_by"]) for entry in versions] == [(2, "ann"), (1, "ann")]


def test_it_takes_and_gives_yaml(client: APIClient, package: dict[str, Any]) -> None:
    body = to_yaml({"project": "lab", "content": package})
    answer = client.post(URL, body, content_type="application/yaml")
    assert answer.status_code == 201
    got = client.get(f"{URL}hardware/{package['slug']}/document.yaml")
    assert got.headers["Content-Disposition"] == f'attachment; filename="{package["slug"]}-1.yaml"'
    assert yaml.safe_load(got.content) == package


def test_it_names_the_wrong_key(client: APIClient, package: dict[str, Any]) -> None:
    package["package"] = {**package["package"], "rows": "three"}
    answer = _store(client, package)
    assert answer.status_code == 400
    assert answer.json()["field"] == "package.rows" and answer.json()["got"] == "three"
    assert answer.json()["accepted"] == "a whole number"


def test_it_keeps_built_ins(client: APIClient, package: dict[str, Any]) -> None:
    answer = _store(client, {**package, "slug": "simba-3x3-nvdla"})
    assert answer.status_code == 400 and answer.json()["field"] == "slug"


def test_it_refuses_viewers(people: People, package: dict[str, Any]) -> None:
    assert _store(client_of(people.viewer), package).status_code == 403
    assert _store(client_of(people.stranger), package).status_code == 404


def test_it_hides_foreign_documents(client: APIClient, people: People, package: dict[str, Any]) -> None:
    _store(client, package)
    stranger = client_of(people.stranger)
    for rest in ("", "versions/", "document.yaml"):
        assert stranger.get(f"{URL}hardware/{package['slug']}/{rest}").status_code == 404
    assert package["slug"] not in str(stranger.get(URL, {"kind": "hardware"}).json())
    assert client_of(people.viewer).get(f"{URL}hardware/{package['slug']}/").status_code == 200


def test_it_asks_which_project(client: APIClient, package: dict[str, Any]) -> None:
    _store(client, package)
    _store(client, {**package, "title": "Mine"}, "ann")
    unclear = client.get(f"{URL}hardware/{package['slug']}/")
    assert unclear.status_code == 404 and f"ann/{package['slug']}" in unclear.json()["message"]
    assert client.get(f"{URL}hardware/{package['slug']}/", {"project": "ann"}).json()["title"] == "Mine"


def test_it_pins_the_queries_of_the_list(
    client: APIClient, package: dict[str, Any], django_assert_num_queries: Any
) -> None:
    for number in range(4):
        _store(client, {**package, "slug": f"mine-{number}"})
        _store(client, {**package, "slug": f"mine-{number}", "title": "Changed"})
    with django_assert_num_queries(3) as asked:  # session, user, how many: the first page holds built-ins alone
        assert client.get(URL, {"kind": "hardware"}).json()["count"] >= 14
    assert not any('"content"' in query["sql"] for query in asked)


def test_its_pages_are_its_list(client: APIClient, package: dict[str, Any]) -> None:
    for number in range(3):
        _store(client, {**package, "slug": f"mine-{number}"})
    query = {"kind": "hardware", "schema": package["schema"]}
    whole = client.get(URL, {**query, "page_size": 500}).json()
    size = whole["count"] - 2  # so that the built-ins end within a page
    pages = [client.get(URL, {**query, "page_size": size, "page": page}).json()["results"] for page in (1, 2)]
    assert pages[0] + pages[1] == whole["results"] and len(whole["results"]) == whole["count"]
    assert [line["slug"] for line in whole["results"][-3:]] == ["mine-0", "mine-1", "mine-2"]
    assert {line["schema"] for line in whole["results"]} == {package["schema"]}


@pytest.mark.parametrize("path", ["documents/", "runs/", "studies/", "engines/", "projects/"])
def test_a_list_refuses_parameters_that_it_does_not_know(client: APIClient, path: str) -> None:
    answer = client.get(f"/api/v1/{path}", {"knid": "hardware"})
    assert (answer.status_code, answer.json()["field"], answer.json()["got"]) == (400, "knid", "hardware")


def test_it_lists_projects_with_roles(people: People) -> None:
    found = client_of(people.viewer).get("/api/v1/projects/").json()
    assert [(entry["slug"], entry["role"], entry["personal"]) for entry in found] == [
        ("lab", "viewer", False), ("vic", "maintainer", True)
    ]  # fmt: skip


def test_official_documents_are_stored_by_administrators_with_a_reason(
    client: APIClient, people: People, package: dict[str, Any]
) -> None:
    root = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    promote(root, store_version(people.owner, people.project, "hardware", package).document, "Measured")
    got = client_of(people.stranger).get(f"{URL}hardware/{package['slug']}/")
    assert (got.json()["official"], got.json()["retired"], got.json()["project"]) == (True, False, "official")
    body = {"content": {**package, "title": "Newer"}, "project": "official", "reason": "Corrected"}
    assert client.post(URL, body, format="json").status_code == 404
    admin = client_of(root)
    assert admin.post(URL, {**body, "reason": ""}, format="json").json()["field"] == "reason"
    tag = got.headers["ETag"]
    assert admin.post(URL, body, format="json", headers={"If-Match": tag}).status_code == 201
    assert admin.post(URL, {**body, "content": package}, format="json", headers={"If-Match": tag}).status_code == 412
    versions = client_of(people.stranger).get(f"{URL}hardware/{package['slug']}/versions/").json()
    assert [version["reason"] for version in versions] == ["Corrected", "Measured"]


def test_values_of_hardware_are_a_table(client: APIClient) -> None:
    answer = client.get(f"{URL}hardware/rk3588/values.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="rk3588-1.csv"'
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "key,value,unit,confidence,source"
    assert any(line.startswith("units.npu.peak_tera_operations_per_s.int8,6.144,TOP/s,read,") for line in lines)
    assert "units.gpu.on_chip_memory_kib,not published,,," in lines
    assert client.get(f"{URL}hardware/no-such/values.csv").status_code == 404


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"units.gpu.peak_tera_operations_per_s.int8": 170}, "units.gpu.peak_tera_operations_per_s.int8", "2:4 sparsity"),
        ({"memory.bandwidth_gb_per_s": 1638.4}, "memory.bandwidth_gb_per_s", "Gb/s are"),
        ({"power_modes.mode-15w.units.gpu.highest_frequency_mhz": 3000},
         "power_modes.mode-15w.units.gpu.highest_frequency_mhz", "306 to 1300.5 MHz"),
        ({"units.gpu.peak_tera_operations_per_s": 170}, "units.gpu.peak_tera_operations_per_s", "without its bits"),
    ],
)  # fmt: skip
def test_slips_of_data_sheets_are_asked_about_and_nothing_is_stored(
    client: APIClient, people: People, change: dict[str, Any], field: str, words: str
) -> None:
    content = with_values(copy_of(people.owner, "hardware", "jetson-agx-orin"), change, "me")
    answer = _store(client, content)
    assert answer.status_code == 400
    assert answer.json()["field"] == field and words in answer.json()["message"]
    assert not Document.objects.exists()
