"""The study of fairness: `gonfalon lab balance`."""
