"""The files for containers fit the checkout: what they copy, name, start and ask for is there."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tools.environment import TORCH_REQUIREMENT
from webapp.site.request_limits import most_bytes

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
SITES = {name: service for name, service in COMPOSE["services"].items() if "build" in service}


def instructions(kind: str) -> list[str]:
    return [line.removeprefix(f"{kind} ") for line in DOCKERFILE.splitlines() if line.startswith(f"{kind} ")]


def test_what_the_image_copies_exists_and_every_layer_of_the_program_is_in_it() -> None:
    copied = [source for line in instructions("COPY") for source in line.split()[:-1]]
    assert all((ROOT / source).exists() for source in copied)
    assert {"hardware", "engines", "webapp", "frontend", "manage.py"} <= set(copied)


def test_packages_are_installed_before_the_program_is_copied() -> None:
    assert DOCKERFILE.index("pip install") < DOCKERFILE.index(TORCH_REQUIREMENT) < DOCKERFILE.index("COPY manage.py")


def test_it_does_not_run_as_root_and_nothing_needs_to_be_written_at_the_start() -> None:
    assert instructions("USER") == ["paretoscope"]
    assert DOCKERFILE.index("USER paretoscope") < DOCKERFILE.index("unpack_plotly")
    (owned,) = re.findall(r"install -d -o paretoscope (.*?) &&", DOCKERFILE)
    assert owned.split() == ["/data", "frontend/assets/vendor"]
    assert "PARETOSCOPE_VAR=/data" in DOCKERFILE


def test_settings_of_the_containers_are_settings() -> None:
    known = set(
        re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    for service in SITES.values():
        assert set(service["environment"]) <= known
    assert SITES["worker-short"]["environment"].keys() - SITES["web"]["environment"] == {
        "PARETOSCOPE_WORKER_SHORT_ONLY"
    }


def test_the_page_on_deployment_starts_the_same_programs() -> None:
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    web = yaml.safe_load(instructions("CMD")[0])
    assert [option for option in web if option.startswith("--") and option not in page] == []
    assert " ".join(web[:2]) in page and " ".join(SITES["worker"]["command"][:6]) in page
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "WITH_TORCH"):
        assert name in page


def test_everything_waits_for_what_it_needs() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        for needed, how in service.get("depends_on", {}).items():
            assert how["condition"] != "service_healthy" or "healthcheck" in services[needed]
    program = services["web"]["healthcheck"]["test"]
    assert program[:2] == ["CMD", "python"] and (ROOT / program[2]).exists()
    assert program[2] in instructions("COPY")[-1]


def test_only_the_proxy_can_be_reached_and_it_takes_what_the_program_takes() -> None:
    services = COMPOSE["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["web"]["environment"]["PARETOSCOPE_PROXIES"] == "1"
    settings = (ROOT / "docker" / "Caddyfile").read_text(encoding="utf-8")
    assert "reverse_proxy web:8000" in settings and "read_header 10s" in settings
    whole, small = (int(size) * 1_000_000 for size in re.findall(r"max_size (\d+)MB", settings))
    files = set(re.findall(r"/api/\S+/", settings))
    assert len(files) == 2 and all(small < most_bytes(path, "multipart/form-data") < whole for path in files)
    for path in ("/api/v1/calibrations/fit/", "/api/v1/documents/", "/admin/", "/_dash-update-component"):
        assert most_bytes(path, "application/json") <= small


class _Site(BaseHTTPRequestHandler):
    hosts: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.hosts.append(self.headers["Host"])
        self.send_response(200 if self.path == "/health/" else 503)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "allowed", "status"), [("/health/", ".example.org,localhost", 0), ("/broken/", "*", 1)]
)
def test_health_is_asked_under_a_name_that_the_site_answers_to(site: str, path: str, allowed: str, status: int) -> None:
    command = shlex.split(f"{sys.executable} -S docker/healthy.py {site}{path}")
    assert subprocess.run(command, cwd=ROOT, env={"ALLOWED_HOSTS": allowed}, capture_output=True).returncode == status
    assert _Site.hosts[-1] == ("example.org" if allowed != "*" else site.removeprefix("http://"))


# -- Kubernetes -------------------------------------------------------------------------------------------------------

KUBERNETES = ROOT / "docker" / "kubernetes"
# Of Kubernetes 1.36 (Apache 2.0), strict, from the package kubernetes-validate 1.37.0: the kinds used here, without descriptions.
SCHEMAS = json.loads(gzip.decompress((ROOT / "tests" / "data" / "kubernetes" / "schemas-1.36.json.gz").read_bytes()))


def manifests() -> dict[tuple[str, str], dict[str, Any]]:
    files = sorted(KUBERNETES.glob("*.yaml"))
    found = [each for file in files for each in yaml.safe_load_all(file.read_text(encoding="utf-8"))]
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pods() -> dict[str, dict[str, Any]]:
    return {
        name: each["spec"]["template"]["spec"]
        for (kind, name), each in manifests().items()
        if kind in ("Deployment", "StatefulSet")
    }


def schema_errors(manifest: dict[str, Any]) -> list[str]:
    schema = {**SCHEMAS["kinds"][manifest["kind"]], "$defs": SCHEMAS["$defs"]}
    return [error.message for error in Draft202012Validator(schema).iter_errors(manifest)]


@pytest.mark.parametrize("key", manifests(), ids="/".join)
def test_a_manifest_keeps_to_the_schema_of_kubernetes(key: tuple[str, str]) -> None:
    manifest = manifests()[key]
    assert schema_errors(manifest) == []
    broken = {**manifest, "metadata": {"name": 7}, "surprise": True}
    assert len(schema_errors(broken)) == 2, "a schema that lets everything pass checks nothing"


def test_manifests_start_what_compose_starts_and_refer_to_what_is_there() -> None:
    found = manifests()
    workers = [pods()[name]["containers"][0] for name in ("worker", "worker-short")]
    for worker, name in zip(workers, ("worker", "worker-short"), strict=True):
        assert worker["command"] == SITES[name]["command"]
    assert workers[1]["env"] == [{"name": "PARETOSCOPE_WORKER_SHORT_ONLY", "value": "1"}]
    web = pods()["web"]
    assert web["initContainers"][0]["command"] == SITES["migrate"]["command"]
    asked = [web["containers"][0][f"{kind}Probe"]["exec"]["command"] for kind in ("startup", "liveness", "readiness")]
    assert [command[:2] for command in asked] == [["python", "docker/healthy.py"]] * 3
    assert [command[2].rpartition("/")[2] for command in asked] == ["livez", "livez", "readyz"]
    assert set(found["ConfigMap", "paretoscope"]["data"]) <= set(SITES["web"]["environment"])
    for name, pod in pods().items():
        volumes = {volume["name"] for volume in pod.get("volumes", ())} | ({"data"} if name == "database" else set())
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            assert {mount["name"] for mount in container.get("volumeMounts", ())} <= volumes
            assert "memory" in container["resources"]["limits"]
    backend = found["Ingress", "paretoscope"]["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    service = found["Service", backend["name"]]["spec"]
    assert backend["port"]["number"] == service["ports"][0]["port"] and service["selector"] == {"app": "web"}


def of_kubernetes() -> list[str]:
    job = manifests()["CronJob", "backup"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    return [*job["command"], *job["args"]]


def of_compose() -> list[str]:
    return [word.replace("$$", "$") for word in COMPOSE["services"]["backup"]["command"]]


@pytest.mark.parametrize("job", [of_kubernetes, of_compose])
def test_the_daily_backup_appears_whole_or_not_at_all(tmp_path: Path, job: Callable[[], list[str]]) -> None:
    """The jobs' own words, with another `pg_dump`, another folder, and a `sleep` that ends whoever calls it."""
    *command, script = job()
    folder, programs = tmp_path / "backups", tmp_path / "programs"
    folder.mkdir()
    programs.mkdir()
    old = folder / "paretoscope-2000-01-01.dump"
    for ends, there in (("exit 1", 0), ("exit 0", 1)):
        old.touch()
        os.utime(old, (0, 0))
        found = 'case $each in --file=*) echo x > "${each#--file=}";; esac'
        words = {
            "pg_dump": f'for each in "$@"; do {found}; done; {ends}',
            "sleep": f"echo $1 > {tmp_path}/slept; kill $PPID",
        }
        for name, does in words.items():
            (programs / name).write_text(f"#!/bin/sh\n{does}\n")
            (programs / name).chmod(0o755)
        environment = {"PATH": f"{programs}:{os.environ['PATH']}"}
        ended = [*command, script.replace("/backups", str(folder))]
        done = subprocess.run(ended, env=environment, capture_output=True, timeout=100)
        if job is of_kubernetes:
            assert (done.returncode == 0) == bool(there)
        else:
            assert (tmp_path / "slept").read_text().strip() == ("86400" if there else "3600")
        assert len([file for file in folder.glob("*.dump") if file != old]) == there
        assert old.exists() != bool(there), "the old ones go only after a new one is there"


def test_a_compose_backup_is_unhealthy_where_none_was_made_of_late(tmp_path: Path) -> None:
    kind, test = COMPOSE["services"]["backup"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    command = ["sh", "-c", test.replace("/backups", str(tmp_path))]
    file = tmp_path / "paretoscope-2026-01-01.dump"
    assert subprocess.run(command).returncode != 0
    file.touch()
    assert subprocess.run(command).returncode == 0
    os.utime(file, (0, 0))
    assert subprocess.run(command).returncode != 0
