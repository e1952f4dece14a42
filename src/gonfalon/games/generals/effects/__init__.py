"""The effect language of Generals."""
