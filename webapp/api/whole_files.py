"""Files of forms, read into the memory of the web's process: large ones one after the other, whatever number of threads waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.core.files.uploadedfile import UploadedFile

from engines.contract.errors import BusyError
from engines.running.runner.slots import AllBusyError, FairSlots, who_asks

LARGE_BYTES = 8_000_000
# What is done with a large file takes its place among the long questions, of which one at a time is answered anyway.
_LARGE = FairSlots(slots=1)
_WAIT_S = 10.0
_RETRY_AFTER_S = 30


@contextmanager
def whole(file: UploadedFile[bytes]) -> Iterator[bytes]:
    """Hold the content of a file; no other large one is in memory until the end of the block.

    Raises:
        BusyError: another large file is being worked on; nothing of this one was read.
    """
    if (file.size or 0) <= LARGE_BYTES:
        yield file.read()
        return
    with ExitStack() as stack:
        try:
            stack.enter_context(_LARGE.slot(who_asks(), False, _WAIT_S))
        except AllBusyError as error:
            raise BusyError("file", _RETRY_AFTER_S) from error
        yield file.read()
