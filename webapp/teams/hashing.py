"""Password hashes, a few at a time in a process: each takes a third of a second of a processor, and anybody may ask for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from engines.contract.errors import BusyError


class Hashings:
    """Places for `most` at once; twice as many wait for up to `wait_s`, each on a thread of the web server."""

    def __init__(self, most: int, wait_s: float = 5.0) -> None:
        self.wait_s, self._inside, self._at_work = wait_s, BoundedSemaphore(3 * most), BoundedSemaphore(most)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place until the end of the block. Raises BusyError: none came free in time, or enough wait already."""
        with _held(self._inside, 0.0), _held(self._at_work, self.wait_s):
            yield


@contextmanager
def _held(places: BoundedSemaphore, wait_s: float) -> Iterator[None]:
    if not places.acquire(timeout=wait_s):
        raise BusyError("password")
    try:
        yield
    finally:
        places.release()


class BoundedPasswordHasher(PBKDF2PasswordHasher):
    """Django's hasher, at most `PARETOSCOPE_SIGN_IN_HASHINGS` times at once: for signing in and up, and for new passwords."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash as it is stored. Raises BusyError: others are hashing."""
        with _hashings().place():
            return super().encode(password, salt, iterations)


@lru_cache(maxsize=1)
def _hashings() -> Hashings:
    return Hashings(settings.PARETOSCOPE_SIGN_IN_HASHINGS)
