"""Laws of secrecy: views, worlds, logs, bots and reviews."""
