"""Limits of network files. Beyond, a file is refused before anything is computed from it."""

MAX_FILE_BYTES = 200_000_000
MAX_NODES = 20_000  # also of the document that comes out: `engines.workloads.schema.MAX_OPERATIONS`
MAX_DEPTH = 16  # graphs within graphs
MAX_DIMENSIONS = 16
MAX_SIZE = 1_000_000_000  # of one dimension
MAX_OPEN_SIZE = 1_000_000  # that somebody gives an open dimension
MAX_NAME = 200
