"""What people say about things: notes with mentions, tags, favourites."""
