from __future__ import annotations

from engines.chiplets.windows.contended_search import with_contention
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.resumable import at_once, whole

ONE = {"a": [[3, 5], [6, 6]]}


THREE = {"a": [[3, 5, 7], [6, 6, 1]]}


SHARED = {"contention": "between_models"}


THOROUGH = whole(with_contention(at_once(search_window_exactly), thorough=True))
