"""What makes and checks Gonfalon's data, and is run from a checkout; README.md beside this names the tools."""
