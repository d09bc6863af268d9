"""Bots that are processes of their own."""
