"""The Django side: catalogue, runs, teams, API and the site that ties them together."""

# Of the product; pyproject.toml, which is not part of an installation, says the same.
VERSION = "0.1.0"
