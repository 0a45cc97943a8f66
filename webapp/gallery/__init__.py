"""The gallery: finished runs that come with the software, and what visitors without an account may do with them."""
