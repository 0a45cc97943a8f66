"""The agent at work, against a site that is played here."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from paretoscope_agent.errors import LoadedError, SignatureError, SiteError
from paretoscope_agent.signing import signature
from paretoscope_agent.working import Worker
from tests.agent.test_measuring import written

KEY = "ab" * 32


class PlayedSite:
    """One job, and what was answered."""

    def __init__(self, folder: Path, **manifest: Any) -> None:
        model, about = written(folder, "digits-chain")
        self.file = model.read_bytes()
        own = {"job": 1, "lease": "x", "network": "digits-chain", "threads": 1, "provider": "CPUExecutionProvider"}
        limits = {"memory_mb": 4096, "time_s": 60, "repeat_s": 0.1, "half_width": 0.03}
        digest = hashlib.sha256(self.file).hexdigest()
        self.manifest = {**own, **limits, "about": about, "sha256": digest, **manifest}
        self.key, self.answers, self.jobs = KEY, list[dict[str, Any]](), 1

    def next_job(self, device: int) -> dict[str, Any] | None:
        self.jobs -= 1
        text = json.dumps(self.manifest)
        return {"manifest": text, "signature": signature(self.key, text)} if self.jobs >= 0 else None

    def network(self, job: int, lease: str) -> bytes:
        return self.file

    def answer(self, job: int, lease: str, outcome: dict[str, Any]) -> None:
        self.answers.append(outcome)


def work(site: PlayedSite, accept_load: float = 999.0) -> int:
    return Worker(site, 1, KEY, accept_load, lambda line: None).work(once=True)  # type: ignore[arg-type]


def test_it_measures_and_answers(tmp_path: Path) -> None:
    site = PlayedSite(tmp_path)
    assert work(site) == 1
    assert site.answers[0]["result"]["latency_s"]["median"] > 0


def test_what_another_signed_is_not_run_and_not_answered(tmp_path: Path) -> None:
    site = PlayedSite(tmp_path)
    site.key = "cd" * 32
    with pytest.raises(SignatureError):
        work(site)
    assert site.answers == []


def test_another_file_is_refused(tmp_path: Path) -> None:
    site = PlayedSite(tmp_path)
    site.file = b"something else"
    assert work(site) == 0
    assert "not the file that was signed" in site.answers[0]["refused"]


def test_what_the_machine_cannot_do_is_answered(tmp_path: Path) -> None:
    site = PlayedSite(tmp_path, provider="TensorrtExecutionProvider")
    assert work(site) == 0
    assert "The provider TensorrtExecutionProvider is not there" in site.answers[0]["refused"]


def test_a_loaded_machine_gives_the_job_back_and_ends(tmp_path: Path) -> None:
    site = PlayedSite(tmp_path)
    with pytest.raises(LoadedError):
        work(site, accept_load=-1.0)
    assert "too loaded" in site.answers[0]["loaded"]


def test_a_refusal_of_the_site_ends_the_agent(tmp_path: Path) -> None:
    site = PlayedSite(tmp_path)

    def refuse(device: int) -> None:
        raise SiteError(403, "revoked")

    site.next_job = refuse  # type: ignore[method-assign, assignment]
    with pytest.raises(SiteError, match="revoked"):
        work(site)


@pytest.mark.parametrize("status", [400, 413])
def test_an_answer_that_the_site_does_not_take_is_said_once(tmp_path: Path, status: int) -> None:
    site, taken = PlayedSite(tmp_path), list[dict[str, Any]]()

    def answer(job: int, lease: str, outcome: dict[str, Any]) -> None:
        if "result" in outcome:
            raise SiteError(status, f"The site answers {status}: The body is too large.")
        taken.append(outcome)

    site.answer = answer  # type: ignore[method-assign]
    assert work(site) == 0
    assert taken == [{"refused": f"The site answers {status}: The body is too large."}]
