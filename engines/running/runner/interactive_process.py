"""Talks with child processes: each has its problem ready and answers one question after the other, within limits.

A child that is started for every question loads documents and an engine each time; who drags a slider waits for an answer far
shorter than that. A few talks are kept open for as long as a person asks.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import BusyError
from engines.running.runner.child_process import ChildProcess
from engines.running.runner.limited_process import ChildLimits, hold_slot, refusal
from engines.running.runner.limited_questions import UnansweredError
from engines.running.runner.protocol import Answer, Frame, InteractiveQuestion, NextQuestion
from engines.running.runner.slots import VISITOR, AllBusyError

# A child holds one problem, and a person looks at one run at a time.
MOST_OPEN = 4
IDLE_S = 120.0
_POLL_S = 0.25


@dataclass(frozen=True)
class ProcessKey:
    """The owner and the subject of an interactive process; `about` contains everything that changes its answers."""

    person: str
    about: str


class InteractiveProcess:
    """A child process that answers a series of requests, from one thread at a time.

    Args:
        opening: the first frame.
        limits: `time_s` is that of one answer; memory and processor time are those of the whole talk.
        words: name of the child's task in messages: "Trying designs".
    """

    def __init__(self, opening: InteractiveQuestion, limits: ChildLimits, words: str) -> None:
        self._limits, self._words = limits, words
        self._process = ChildProcess((opening,))
        self._frames = self._process.frames(_POLL_S)
        self.lock = threading.Lock()
        self.last_asked = time.monotonic()
        self.ended = False

    def ask(self, question: Mapping[str, Any]) -> Any:
        """Return the answer, JSON-able data.

        Raises:
            ProblemError, DecisionError: the child refuses what opened the talk.
            UnansweredError: it took more than its limits, or failed in a way that nobody foresaw.
        """
        self.last_asked = time.monotonic()
        deadline = self.last_asked + self._limits.time_s
        self._process.send(NextQuestion(json.dumps(question, default=dict).encode()))
        for frame in self._frames:
            if isinstance(frame, Answer):
                self.last_asked = time.monotonic()
                return json.loads(frame.content)
            self._end_late(frame, deadline)
        self.ended = True
        raise refusal(self._process.ending, self._words, self._limits, UnansweredError)

    def _end_late(self, frame: Frame | None, deadline: float) -> None:
        if frame is None and time.monotonic() > deadline:
            self._process.kill()

    def end(self) -> None:
        """End the child; it accepts no further requests."""
        self.ended = True
        self._process.kill()
        for _ in self._frames:
            pass


class InteractiveProcesses:
    """The interactive processes of this server: at most `most`, half of them visitors', one per user; idle ones are ended."""

    def __init__(self, most: int = MOST_OPEN, idle_s: float = IDLE_S) -> None:
        self._most, self._idle_s = most, idle_s
        self._lock = threading.Lock()
        self._open: dict[ProcessKey, InteractiveProcess] = {}
        self._watch: threading.Timer | None = None

    def ask(self, key: ProcessKey, begin: Callable[[], InteractiveProcess], question: Mapping[str, Any]) -> Any:
        """Return the answer of the talk of that key, begun where there is none.

        Raises:
            BusyError: others are at work.
            ProblemError, DecisionError, UnansweredError: as `InteractiveProcess.ask`.
        """
        try:
            with hold_slot():
                while True:
                    talk = self._opened(key, begin)
                    with talk.lock:
                        if not talk.ended:  # else another person took its place before it was asked
                            return talk.ask(question)
        except AllBusyError as error:
            raise BusyError from error

    def close(self) -> None:
        """End all talks."""
        self._end_where(lambda key, talk: True)

    def _opened(self, key: ProcessKey, begin: Callable[[], InteractiveProcess]) -> InteractiveProcess:
        self._end_where(lambda other, talk: talk.ended or (other.person == key.person and other != key))
        with self._lock:
            found = self._open.get(key)
            oldest = sorted(self._open, key=lambda each: self._open[each].last_asked)
        if found is not None:
            return found
        visitors = [each for each in oldest if each.person.startswith(VISITOR)]
        if key.person.startswith(VISITOR) and len(visitors) >= max(1, self._most // 2):
            self._end_where(lambda other, talk: other == visitors[0])
        elif len(oldest) >= self._most:
            self._end_where(lambda other, talk: other == oldest[0])
        found = begin()
        with self._lock:
            # Somebody without a name may have begun one at the same moment: the first stays.
            kept = self._open.setdefault(key, found)
        if kept is not found:
            found.end()
        self._watch_later()
        return kept

    def _end_where(self, done: Callable[[ProcessKey, InteractiveProcess], bool]) -> None:
        with self._lock:
            gone = [key for key, talk in self._open.items() if done(key, talk)]
            talks = [self._open.pop(key) for key in gone]
        for talk in talks:
            with talk.lock:  # somebody may wait for its answer
                talk.end()

    def _watch_later(self) -> None:
        with self._lock:
            if self._watch is not None or not self._open:
                return
            self._watch = threading.Timer(self._idle_s / 2, self._end_idle)
            self._watch.daemon = True
            self._watch.start()

    def _end_idle(self) -> None:
        late = time.monotonic() - self._idle_s
        self._end_where(lambda key, talk: talk.last_asked < late)
        with self._lock:
            self._watch = None
        self._watch_later()
