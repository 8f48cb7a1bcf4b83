"""A checked model and its data come in, the sparse matrix with a name for every item and option goes out."""
