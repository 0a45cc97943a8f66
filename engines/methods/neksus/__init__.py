"""What connects the chiplets of a package, what it costs, and what applications get from it."""
