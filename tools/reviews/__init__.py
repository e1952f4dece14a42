"""`python -m tools.reviews`: checks the accuracy of reviews, and fits their parameters."""
