"""Pictures come in, text and images go out."""
