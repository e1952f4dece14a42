"""The pages of the operator, and reports of players to the operator."""
