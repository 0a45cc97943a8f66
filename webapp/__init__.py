"""The Django side: catalogue, runs, teams, API and the site that ties them together."""
