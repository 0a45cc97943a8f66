"""Pictures of results: pure functions, data in, `go.Figure` out."""
