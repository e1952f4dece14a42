"""Works out how types of formations do against each other, by command."""
