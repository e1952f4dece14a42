"""The study that changes numbers until all sides are even: `gonfalon lab tune`."""
