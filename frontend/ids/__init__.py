"""Component ids, one enum per page."""
