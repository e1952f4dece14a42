"""The acts of the Main Phase: what is legal, how they are declared, countered and carried out."""
