"""A limit that is reached says so with its facts, in any process."""

from __future__ import annotations

import pickle

from webapp.limits.errors import LimitReachedError


def test_facts_come_through_a_pipe() -> None:
    error = LimitReachedError("active_runs", 1, "at most 0 more", "No room.", 3, 5.0)
    found = pickle.loads(pickle.dumps(error))
    assert (str(found), found.field, found.got, found.limit, found.used) == ("No room.", "active_runs", 1, 3, 5.0)
    assert found.left == 0.0, "never below 0, where a limit was made tighter"
