"""What a bot author needs: the Agent class, the decision it answers, and the baseline bots."""
