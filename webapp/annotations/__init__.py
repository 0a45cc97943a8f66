"""Annotations of items: notes with mentions, tags, favourites."""
