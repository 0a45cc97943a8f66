"""Notes, tags and stars on whatever page shows a thing that has them."""
