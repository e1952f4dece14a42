"""Bots whose code is not part of Gonfalon: Python programs in processes of their own, and programs over HTTP."""
