"""Waiting for the end of a run or study, with a progress bar that shows its status."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from tqdm.auto import tqdm

from paretoscope_client.errors import WaitedTooLongError

POLL_S = 1.0


@dataclass(frozen=True)
class Progress:
    """The progress of a run or study.

    Attributes:
        name: what it is, such as "Run 12". words: how it stands, or how it ended.
        fraction: fraction of the work, 0 to 1. ended: whether it will not change any more by itself.
    """

    name: str
    words: str
    fraction: float
    ended: bool


def until_ended(
    ask: Callable[[], Progress], sleep: Callable[[float], None], timeout_s: float | None, progress: bool
) -> Progress:
    """Ask once a second until it has ended.

    Args:
        ask: how it stands now.
        sleep: waits that many seconds.
        timeout_s: after which waiting ends; None for no limit.
        progress: whether a bar is drawn, in a notebook as a widget where it has them.

    Raises:
        WaitedTooLongError: the time is over; it continues by itself.
    """
    end = None if timeout_s is None else time.monotonic() + timeout_s
    form = "{desc} |{bar}| {percentage:3.0f} % [{elapsed}]"
    with tqdm(total=1.0, bar_format=form, disable=not progress) as bar:
        while True:
            found = ask()
            bar.set_description_str(f"{found.name}: {found.words}", refresh=False)
            bar.n = min(max(found.fraction, 0.0), 1.0)
            bar.refresh()
            if found.ended:
                return found
            if end is not None and time.monotonic() >= end:
                raise WaitedTooLongError(f"{found.name} has not ended within {timeout_s:g} s: {found.words}")
            sleep(POLL_S if end is None else max(min(POLL_S, end - time.monotonic()), 0.0))
