"""`gonfalon baseline`: players by known methods, for others to be measured against."""
