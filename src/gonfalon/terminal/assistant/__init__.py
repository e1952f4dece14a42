"""A seat for an assistant: a server of the Model Context Protocol whose tools play at a table in words."""
