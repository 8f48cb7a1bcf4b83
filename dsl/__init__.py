"""Text comes in, a checked syntax tree with spans goes out; matrices are unknown here."""
