"""The arena: plays matches and tournaments, and the command `arena`."""
