"""`python -m tools.reviews`: whether reviews are right, and the numbers that they are told by."""
