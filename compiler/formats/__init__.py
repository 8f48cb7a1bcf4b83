"""A problem comes in or goes out in the formats of other people's programs, one file a format."""
