"""What a seat may know: masks, worlds, recall and beliefs."""
