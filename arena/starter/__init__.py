"""What `arena bot new` writes: a bot, its test and a page about it."""
