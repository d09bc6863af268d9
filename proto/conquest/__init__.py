"""The wire contract of Conquest Arena, by version."""
