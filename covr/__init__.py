"""covr: cover problems written as rule sheets, solved by dancing links."""
