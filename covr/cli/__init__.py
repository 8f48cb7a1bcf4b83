"""The `covr` command, one file a subcommand."""
