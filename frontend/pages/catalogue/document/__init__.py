"""What the pages of all documents share."""
