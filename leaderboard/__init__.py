"""The book of record of the arena: what was played, and what follows from it."""
