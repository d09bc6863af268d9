"""The pages of the leaderboard: served from the store by a process of their own, which only reads it."""
