"""Runs and their queue for workers that reach a site over HTTPS alone, as `webapp.runs.worker.run_access` describes them."""

from __future__ import annotations

import contextlib
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engines.contract.designs import Designs
from engines.contract.engine import Document, Infeasibility, Resume
from engines.registry import engine_names, get_engine
from engines.running.cluster import fingerprint
from engines.running.computing_clock import ComputingClock
from engines.running.runner.frame_parts import unpack_designs
from engines.running.runner.protocol import DesignChunk, StepFrame
from engines.running.runner.wire import encode_frame
from webapp import VERSION
from webapp.runs.errors import FencedOutError
from webapp.runs.pull.site import Site, SiteError
from webapp.runs.queue.claim import Offer
from webapp.runs.storage.convergence import Convergence
from webapp.runs.storage.json_values import json_safe
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.store import Position
from webapp.runs.worker.run_access import Assignment, AttemptHistory

RENEW_S = 3.0
LOOK_EVERY_S = 4.0
_GONE = (404, 409)
_REFUSED = (401, 403, 409)
_LENGTH_BYTES = 4  # before a frame's body


@dataclass
class Sign:
    """A worker's sign of life, which goes with every renewal."""

    slots: int = 1
    busy: int = 0
    abilities: tuple[str, ...] = ()


class SiteAccess:
    """One attempt of one run on a site: `webapp.runs.worker.run_access.RunAccess`.

    Args:
        site: site that stores the run.
        fencing_token: the claim.
        sign: of the worker.
    """

    renew_every_s = RENEW_S

    def __init__(self, site: Site, fencing_token: FencingToken, sign: Sign) -> None:
        self.fencing_token, self.files = fencing_token, SiteFiles(self.call)
        self.position = Position(0, 0, None)
        self.clock: ComputingClock | None = None
        self._site, self._sign, self._stop = site, sign, False
        self._engine, self._log_number, self._ends = "", 0, [0]

    def call(self, call: str, **values: Any) -> dict[str, Any]:
        """Return the answer to a call.

        Raises:
            FencedOutError: another attempt has the run.
            SiteError: the site refuses the call, or stayed away.
        """
        run_id, attempt = self.fencing_token.run_id, self.fencing_token.attempt
        computed_s = None if self.clock is None else float(self.clock.used_s)
        try:
            answer = self._site.call(f"{run_id}/attempts/{attempt}/{call}", {"computed_s": computed_s, **values})
        except SiteError as error:
            if error.status in _GONE:
                raise FencedOutError(run_id, attempt) from error
            raise
        self._stop = bool(answer["stop"])
        return answer

    def assignment(self) -> Assignment:
        """Return the run with its documents."""
        answer = self.call("assignment")
        answer.pop("stop")
        documents = {slot: Document(**document) for slot, document in answer.pop("inputs").items()}
        self._engine = answer["engine"]
        return Assignment(inputs=documents, **answer)

    def rewind(self) -> Resume | None:
        """Return the state to continue from; None to start from the beginning."""
        answer = self.call("rewind")
        reference = answer["reference"]
        self.position = Position(answer["step_number"], answer["design_count"], tuple(reference) if reference else None)
        self._log_number = answer["log_number"]
        if answer["checkpoint"] is None:
            return None
        chunks: list[DesignChunk] = []
        after = 0
        while found := (page := self.call("designs", after=after))["chunks"]:
            chunks += [DesignChunk(**chunk) for chunk in found]
            after = page["after"]
        return Resume(
            answer["checkpoint"], unpack_designs(chunks) or Designs.empty(get_engine(self._engine).quantities)
        )

    def step_ends(self) -> list[int]:
        """Return the number of designs after each stored step."""
        self._ends = list(self.call("step_ends")["ends"])
        return self._ends

    def store_step(
        self,
        number: int,
        frame: StepFrame,
        hypervolume: float | None,
        reference: Sequence[float] | None,
        moved: Convergence | None = None,
    ) -> bool:
        """Append a step."""
        curve = None if moved is None else self._curve(moved)
        told = None if reference is None else list(reference)
        body = encode_frame(frame)[_LENGTH_BYTES:]
        self.call("step", number=number, frame=body, hypervolume=hypervolume, reference=told, curve=curve)
        total = self.position.design_count + sum(chunk.count for chunk in frame.designs)
        self.position = Position(number, total, None if reference is None else tuple(reference))
        self._ends.append(total)
        return True

    def measure_again(self, tracker: Convergence) -> None:
        """Store the curve by a reference point that has moved."""
        told = None if tracker.reference is None else list(tracker.reference)
        self.call("curve", reference=told, curve=self._curve(tracker))

    def _curve(self, tracker: Convergence) -> dict[int, float]:
        return {count: float(tracker.hypervolume_after(count)) for count in self._ends}

    def note_platform(self, facts: Mapping[str, Any]) -> None:
        """Record interpreter, libraries and machine."""
        self.call("platform", facts=json_safe(dict(facts)))

    def store_log(self, lines: Sequence[tuple[str, str]]) -> None:
        """Append lines of the log."""
        self.call("log", first=self._log_number + 1, lines=list(lines))
        self._log_number += len(lines)

    def store_documents(self) -> list[tuple[str, str]]:
        """Store the run's documents in the catalogue."""
        return [(level, text) for level, text in self.call("documents")["lines"]]

    def store_explanation(self, number: int, content: bytes) -> None:
        """Store what explains a design of the run."""
        self.call("explanation", number=number, content=content)

    def renew(self) -> None:
        """Extend the lease; a sign of life of the worker as well."""
        self.call("renew", **asdict(self._sign))

    def stop_wished(self) -> bool:
        """Return whether people want the run to stop, as the last answer said."""
        return self._stop

    def gives_way(self, offer: Offer) -> bool:
        """Return False: a pull worker takes long runs too."""
        return False

    def measurer(self) -> None:
        """Return None: a run that measures while it searches is for workers of the site."""

    def history(self, reason: str, machine: bool = False) -> AttemptHistory:
        """Return the attempts, the present one ended for a reason."""
        answer = self.call("history", reason=reason, machine=machine)
        return AttemptHistory(answer["reasons"], answer["exhausted"], answer["machine_only"])

    def finish(self, infeasible: Infeasibility | None) -> None:
        """Mark the run as done."""
        self.call("finish", infeasible=None if infeasible is None else asdict(infeasible))

    def stop(self) -> None:
        """Mark the run as stopped."""
        self.call("stop")

    def fail(self, detail: Mapping[str, Any], reasons: Sequence[Mapping[str, Any]]) -> None:
        """Mark the run as failed."""
        self.call("fail", detail=json_safe(dict(detail)), reasons=json_safe(list(reasons)))

    def requeue(
        self,
        reasons: Sequence[Mapping[str, Any]] | None = None,
        forgive: bool = False,
        estimated_s: float | None = None,
    ) -> None:
        """Give the run back to the queue."""
        told = None if reasons is None else json_safe(list(reasons))
        self.call("requeue", reasons=told, forgive=forgive, estimated_s=estimated_s)


class SiteFiles:
    """The engine's own files of one attempt, on the site: `engines.running.files.FileKeeper`."""

    def __init__(self, call: Callable[..., dict[str, Any]]) -> None:
        """Store by `call`."""
        self._call = call

    def put(self, data: bytes) -> str:
        """Store `data`; return its SHA-256 (hex)."""
        return str(self._call("put_file", data=data)["sha256"])

    def get(self, key: str) -> bytes:
        """Return the content with that SHA-256. Raises KeyError if the run has none."""
        data: bytes | None = self._call("get_file", key=key)["data"]
        if data is None:
            raise KeyError(f"The run has no file with the SHA-256 {key}.")
        return data

    def lookup(self, name: str) -> bytes | None:
        """Return the content kept under `name`, None if there is none."""
        data: bytes | None = self._call("lookup_file", name=name)["data"]
        return data

    def keep(self, name: str, data: bytes) -> None:
        """Keep `data` under `name`; the first content of a name stays."""
        self._call("keep_file", name=name, data=data)


class SiteQueue:
    """The queue of a site: `webapp.runs.worker.run_access.RunQueue`.

    Args:
        site: site with the queued runs.
        refused: is told, in words, when the site refuses the worker for good.
        say: is told of the site's absence and return.
    """

    def __init__(self, site: Site, refused: Callable[[str], None], say: Callable[[str], None]) -> None:
        self._site, self._refused, self._say = site, refused, say
        self._sign, self._look_at, self._away = Sign(), 0.0, False
        self.idle_since: float | None = None  # the first of the answers without a run

    def take(self, name: str, offer: Offer) -> SiteAccess | None:
        """Take the next run for the worker; None where there is none, or the site is away."""
        # Hundreds of workers that began together ask at different moments; none that waits seems dead to the site meanwhile.
        self._look_at = time.monotonic() + LOOK_EVERY_S * random.uniform(0.8, 1.0)
        self._sign.abilities = tuple(sorted(offer.abilities))
        try:
            found = self._site.claim(self._body(name, "run"))
        except SiteError as error:
            if error.status in _REFUSED:
                self._refused(str(error))
            elif not self._away:
                self._say(f"{error} The worker asks again every {LOOK_EVERY_S:g} s.")
            self._away = True
            return None
        if self._away:
            self._say("The site answers again.")
        self._away = False
        if found is None:
            self.idle_since = self.idle_since or time.monotonic()
            return None
        self.idle_since = None
        return SiteAccess(self._site, FencingToken(found["run"], found["attempt"]), self._sign)

    def has_runs(self, offer: Offer) -> bool:
        """Return whether it is time to ask again."""
        return time.monotonic() >= self._look_at

    def beat(self, name: str, slots: int, busy: int, offer: Offer) -> None:
        """Keep the sign of life for the next request."""
        self._sign.slots, self._sign.busy = slots, busy

    def forget(self, name: str) -> None:
        """Say that the worker ends; a site that is away forgets it by itself."""
        with contextlib.suppress(SiteError):
            self._site.claim(self._body(name, "leave"))

    def waiting(self, name: str, abilities: frozenset[str]) -> int:
        """Return the number of runs that wait for a worker with these abilities.

        Raises:
            SiteError: the site refuses, or does not answer.
        """
        self._sign.abilities = tuple(sorted(abilities))
        return int((self._site.claim(self._body(name, "count")) or {})["waiting"])

    def _body(self, name: str, wish: str) -> dict[str, Any]:
        python = "{}.{}".format(*sys.version_info[:2])
        versions = {"release": VERSION, "python": python, "code": fingerprint(), "engines": list(engine_names())}
        return {"name": name, "wish": wish, **versions, **asdict(self._sign)}
