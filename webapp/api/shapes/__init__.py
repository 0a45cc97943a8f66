"""Types of requests and answers: checked and written by pydantic, described in the OpenAPI document."""
