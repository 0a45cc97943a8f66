"""A run's designs as pages work with them: columns, fronts, filters. No components, no requests."""
