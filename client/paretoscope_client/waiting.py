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
        name: name such as "Run 12". words: status or outcome.
        fraction: share of the work done, 0 to 1. ended: whether it is done, failed or stopped.
    """

    name: str
    words: str
    fraction: float
    ended: bool


def until_ended(
    ask: Callable[[], Progress], sleep: Callable[[float], None], timeout_s: float | None, progress: bool
) -> Progress:
    """Request the progress once a second until the run or study has ended, and return the last one.

    Args:
        ask: returns the current progress.
        sleep: function that waits for a number of seconds.
        timeout_s: seconds after which waiting ends; None for no limit.
        progress: whether to show a progress bar, as a widget in notebooks that support it.

    Raises:
        WaitedTooLongError: it has not ended within `timeout_s`; it continues on the site.
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
