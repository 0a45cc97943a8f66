"""Read-only links: their creation, revocation, scope and access."""
