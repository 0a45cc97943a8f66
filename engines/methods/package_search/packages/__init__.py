"""Which packages there are: candidates, symmetries, limits, and their documents."""
