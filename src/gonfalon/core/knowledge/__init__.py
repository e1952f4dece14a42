"""The knowledge of a seat: worlds, recall and beliefs."""
