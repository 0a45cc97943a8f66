"""What requests and answers look like, as types: checked and written by pydantic, described in the OpenAPI document."""
