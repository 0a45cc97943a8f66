"""The page that moves or copies a thing to another project."""
