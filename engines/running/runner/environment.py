"""The environment that a child process gets: chosen names only, so that no secret of the parent reaches an engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_PASSED = (
    "CUDA_VISIBLE_DEVICES",
    "DASK_CONFIG",
    "EXECUTOR_URL",
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "PARETOSCOPE_CLUSTER_OUTAGE",
    "PATH",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
    "SYSTEMROOT",
    "TMPDIR",
    "TZ",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
)
SLURM = "slurm://"  # of EXECUTOR_URL: workers on a Slurm cluster (`webapp.runs.pull.slurm`)
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "ARROW_IO_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def child_environment(parent: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a child: the passed names of `parent` (default: this process), one compute thread, module path."""
    source = os.environ if parent is None else parent
    environment = {name: source[name] for name in _PASSED if name in source}
    environment |= dict.fromkeys(_ONE_THREAD, "1")
    environment["PYTHONHASHSEED"] = (
        "0"  # an engine that iterates over a set of text does so in the same order every time
    )
    environment["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    environment["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # looking for them costs 15 ms
    environment["ARROW_DEFAULT_MEMORY_POOL"] = (
        "system"  # mimalloc would take 1 GB of the addresses that the limit counts
    )
    environment["MALLOC_ARENA_MAX"] = "2"  # each arena of glibc takes 64 MB of them
    root = str(Path(__file__).resolve().parents[3])
    environment["PYTHONPATH"] = os.pathsep.join(part for part in (root, source.get("PYTHONPATH", "")) if part)
    return environment


def executor_url() -> str | None:
    """Return the scheduler of the cluster that computes batches of runs; None where there is none, or Slurm executes whole runs."""
    url = os.environ.get("EXECUTOR_URL") or None
    return None if url is None or url.startswith(SLURM) else url


def cluster_outage() -> str:
    """Return the behaviour of runs while the cluster is away; the checks of the settings report wrong values."""
    return os.environ.get("PARETOSCOPE_CLUSTER_OUTAGE", "").strip().upper()
