"""What search methods share."""
