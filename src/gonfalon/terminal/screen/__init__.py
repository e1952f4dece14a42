"""The table on a screen of its own in the terminal: fixed places, keys and a mouse. Only this room knows Textual."""
