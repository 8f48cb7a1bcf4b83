"""A Problem comes in, answers as option numbers come out; the language is unknown here."""
