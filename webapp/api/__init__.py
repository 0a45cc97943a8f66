"""The REST interface under `/api/v1/`, its tokens, its documentation and the health check."""
