"""Which designs dominate which."""
