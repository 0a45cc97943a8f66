"""What one run, one person and one project may take of the site: set by administrators, asked before anything starts."""
