"""The version of the files that `build` writes."""

# Raised whenever the files change: measurements of other files are not the same measurement.
VERSION = 1
